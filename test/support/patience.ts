/** For `vi.waitFor`: a busy machine takes long, and whoever fails may take as long. */
export const patience = { timeout: 40_000, interval: 10 }
