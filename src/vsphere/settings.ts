/** How we treat every vCenter. */
export interface VSphereSettings {
  /** Most that one call may take, from dialling to the last byte. */
  readonly callTimeoutMs: number
  readonly maxConcurrentCalls: number
  /** How long a rejected login is not tried again with the same credentials: accounts lock after a few. */
  readonly loginHoldMs: number
  /** How long a session may rest before it is given back. */
  readonly idleLogoutMs: number
  readonly maxBodyBytes: number
  /** Shown in the vCenter's list of sessions. */
  readonly userAgent: string
}

/** What the settings say unless somebody sets something else. */
export const defaultVSphereSettings: VSphereSettings = {
  callTimeoutMs: 30_000,
  maxConcurrentCalls: 4,
  loginHoldMs: 30 * 60_000,
  // Longer than from one round to the next, so that it is used again; a vCenter itself ends it after 30 minutes.
  idleLogoutMs: 20 * 60_000,
  maxBodyBytes: 64 * 1024 * 1024,
  userAgent: 'vsphere-problem-detector',
}
