import { uuidOf } from './identity.ts'
import { findByPath, type Inventory } from './inventory.ts'
import type { SimulatedTag, SimulatedTagCategory, SimulatedWorld } from './world.ts'

export interface Category {
  readonly id: string
  readonly category: SimulatedTagCategory
}

export interface Tag {
  readonly id: string
  readonly categoryId: string
  readonly tag: SimulatedTag
  /** Managed object ids of what carries it; something that is gone carries no tag. */
  readonly objectIds: ReadonlySet<string>
}

export interface Tagging {
  readonly categories: readonly Category[]
  readonly tags: readonly Tag[]
}

/** The tags of a world with their ids, which depend on their names alone. */
export function taggingOf(world: SimulatedWorld, inventory: Inventory): Tagging {
  const categories = (world.tags ?? []).map((category) => ({
    id: `urn:vmomi:InventoryServiceCategory:${uuidOf(category.name)}:GLOBAL`,
    category,
  }))
  const tags = categories.flatMap(({ id: categoryId, category }) =>
    category.tags.map((tag) => ({
      id: `urn:vmomi:InventoryServiceTag:${uuidOf(category.name, tag.name)}:GLOBAL`,
      categoryId,
      tag,
      objectIds: new Set(tag.on.flatMap((path) => findByPath(inventory, path)?.ref.id ?? [])),
    })),
  )
  return { categories, tags }
}

/** One sentence for each tag on something that the world does not have. */
export function danglingTags({ name, tags = [] }: SimulatedWorld, inventory: Inventory): readonly string[] {
  return tags.flatMap((category) =>
    category.tags.flatMap((tag) =>
      tag.on
        .filter((path) => !findByPath(inventory, path))
        .map((path) => `Tag ${tag.name} of category ${category.name} in ${name} is on ${path}, which does not exist.`),
    ),
  )
}
