import { type FoundObject, ObjectHeap } from '../../../src/cluster/heap.ts'
import { readingFrom } from '../../../src/cluster/objects.ts'

/** A reading of a heap of Kubernetes objects; those that nobody looks at are passed over. */
export function readingOf(found: readonly FoundObject[], place: string) {
  const heap = new ObjectHeap(place)
  for (const one of found) heap.add(one)
  return readingFrom(heap)
}
