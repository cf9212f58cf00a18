export interface Gauge {
  readonly metric: string
  readonly help: string
  readonly labels: readonly string[]
}

export interface Sample {
  readonly metric: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Declares a gauge; call it to make a sample. Samples with equal labels are summed over a round. */
export function gauge<const Label extends string>(
  metric: string,
  about: { readonly help: string; readonly labels: readonly Label[] },
): Gauge & ((labels: Readonly<Record<Label, string>>, value?: number) => Sample) {
  return Object.assign((labels: Readonly<Record<Label, string>>, value = 1) => ({ metric, labels, value }), {
    metric,
    ...about,
  })
}
