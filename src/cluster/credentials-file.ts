import { readFile } from 'node:fs/promises'
import { versionOf } from './archive.ts'
import { ChangePoll, defaultPollMs } from './change-poll.ts'
import { mergedCredentials } from './credentials.ts'
import { manifest, secretData } from './manifests.ts'
import { objectsIn } from './object-texts.ts'
import { named } from './places.ts'
import type { ClusterSource, CredentialSecret } from './source.ts'
import { SourceError } from './source-error.ts'

/**
 * The same source with the credentials of a file that holds a Secret, whatever its name, before those that were
 * collected. The file is read anew for each reading.
 */
export async function withCredentialsFile(
  source: ClusterSource,
  file: string,
  pollMs = defaultPollMs,
): Promise<ClusterSource> {
  await secretsIn(file)
  const poll = new ChangePoll(() => versionOf(file))
  return {
    ...source,
    watch(onChange, signal) {
      source.watch?.(onChange, signal)
      void poll.run(() => onChange(`the credentials file ${file} changed`), pollMs, signal)
    },
    async read(signal, wanted) {
      poll.saw(await versionOf(file))
      const [reading, given] = await Promise.all([source.read(signal, wanted), secretsIn(file)])
      return {
        ...reading,
        credentials: new Map([...reading.credentials, ...mergedCredentials(given)]),
        credentialSecrets: [...given, ...(reading.credentialSecrets ?? [])],
      }
    },
  }
}

async function secretsIn(file: string): Promise<CredentialSecret[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new SourceError(`${file} cannot be read (${error.code}). ${advice}`)
  })
  const { objects, problems } = objectsIn(text, file)
  const [problem] = problems
  if (problem !== undefined) throw new SourceError(`${problem}. ${advice}`)
  const secrets = objects.flatMap(({ object }) => {
    const { data } = manifest.safeParse(object)
    if (data?.kind !== 'Secret') return []
    return [{ place: named(data.metadata), file, data: { state: 'read', value: secretData(data) } as const }]
  })
  if (mergedCredentials(secrets).size > 0) return secrets
  throw new SourceError(
    secrets.length === 0
      ? `${file} holds no Secret. ${advice}`
      : `${file} holds a Secret without any login. Its keys must be <server>.username and <server>.password.`,
  )
}

const advice = 'Name a file with a Secret as "kubectl get secret -o yaml" prints it.'
