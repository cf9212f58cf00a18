import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer, type Server } from 'node:https'

export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
}

/** A certificate with its key, proved to belong together. */
export interface ServingCertificate {
  /** PEM. */
  readonly cert: string
  /** PEM. */
  readonly key: string
  readonly expiresAt: Date
}

/** The files cannot be used. The message names the file and holds nothing of its content. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError'
  readonly setting: keyof CertificateFiles

  constructor(setting: keyof CertificateFiles, message: string) {
    super(message)
    this.setting = setting
  }
}

/** Reads the pair. Half-written files, or files of two different pairs, are a {@link CertificateError}. */
export async function readCertificate({ certFile, keyFile }: CertificateFiles): Promise<ServingCertificate> {
  const [cert, key] = await Promise.all([textOf('certFile', certFile), textOf('keyFile', keyFile)])
  const certificate = parsed(() => new X509Certificate(cert), 'certFile', `${certFile} holds no PEM certificate`)
  const privateKey = parsed<KeyObject>(
    () => createPrivateKey(key),
    'keyFile',
    `${keyFile} holds no PEM private key, or one with a passphrase`,
  )
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new CertificateError('keyFile', `${keyFile} is not the key of the certificate in ${certFile}`)
  }
  return { cert, key, expiresAt: new Date(certificate.validTo) }
}

/** The certificate that servers show, which can be replaced while they run. */
export class ServedCertificate {
  #current: ServingCertificate
  readonly #servers = new Set<Server>()

  constructor(certificate: ServingCertificate) {
    this.#current = certificate
  }

  /** A server that shows it. A host with two addresses has two of them. */
  createServer(handler: RequestListener): Server {
    const { cert, key } = this.#current
    const server = createServer({ cert, key }, handler)
    this.#servers.add(server)
    return server
  }

  /** New connections get the new certificate; those that are open go on. */
  replace(certificate: ServingCertificate): void {
    this.#current = certificate
    const { cert, key } = certificate
    for (const server of this.#servers) server.setSecureContext({ cert, key })
  }
}

async function textOf(setting: keyof CertificateFiles, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CertificateError(setting, `${file} cannot be read (${error.code})`)
  })
}

function parsed<T>(parse: () => T, setting: keyof CertificateFiles, message: string): T {
  try {
    return parse()
  } catch {
    throw new CertificateError(setting, message)
  }
}
