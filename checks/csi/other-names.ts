import { isAddress } from '../../src/framework/check.ts'

/** The same vCenters, probably: as the cluster calls them, and as the CSI driver's configuration does. */
export interface OtherNames {
  readonly wanted: readonly string[]
  readonly written: readonly [string, ...string[]]
}

/**
 * As many left over on one side as on the other, here names and there addresses. Nobody is asked which is which, so where
 * that matters only one may be left over.
 */
export function byNameAndAddress(
  missing: readonly string[],
  surplus: readonly string[],
  isStrict: boolean,
): OtherNames | undefined {
  const [first, ...more] = surplus
  if (first === undefined || missing.length !== surplus.length || (isStrict && more.length > 0)) return undefined
  const isByAddress = isAddress(first)
  const isDivided =
    surplus.every((s) => isAddress(s) === isByAddress) && missing.every((s) => isAddress(s) !== isByAddress)
  return isDivided ? { wanted: missing, written: [first, ...more] } : undefined
}
