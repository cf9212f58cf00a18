/** Whether two names mean one datacenter: paths that are equal, or a bare name and a path that ends in it. */
export function isSameDatacenter(one: string, other: string): boolean {
  const [left, right] = [bare(one), bare(other)]
  if (left === '' || right === '') return false
  if (left.includes('/') && right.includes('/')) return left === right
  return left.split('/').at(-1) === right.split('/').at(-1)
}

const bare = (path: string): string => path.trim().replace(/^\/+|\/+$/g, '')
