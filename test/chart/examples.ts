/** The YAML that a page shows. */
export function yamlExamples(page: string): readonly string[] {
  return [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text ?? '')
}
