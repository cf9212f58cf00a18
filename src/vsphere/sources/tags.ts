import { VSphereError } from '../errors.ts'
import { chunks } from '../read/chunks.ts'
import { NotFound } from '../rest-calls.ts'
import { fieldsOf, listOf, textOf } from '../vim/shape.ts'
import type { ObjectId, Tag, Tags } from './model.ts'
import type { RestApi } from './rest-api.ts'

const objectsPerCall = 500

/** One call for all objects, then one for each distinct tag and category: the API has no other way to their names. */
export async function readTags(rest: RestApi, on: readonly ObjectId[]): Promise<Tags> {
  const path = rest.tagging('tag-association', undefined, 'list-attached-tags-on-objects')
  const answers = await Promise.all(
    chunks(on, objectsPerCall).map((chunk) =>
      rest.post(path, { object_ids: chunk.map(({ type, id }) => ({ type, id })) }),
    ),
  )
  const attached = answers.flatMap(listOf).map(attachmentOf)
  const tagIds = [...new Set(attached.flatMap((object) => object.tagIds))]
  const tags = new Map(await Promise.all(tagIds.map(async (id) => [id, await seen(readTag(rest, id))] as const)))
  const byObject = new Map<string, readonly Tag[]>(on.map(({ id }) => [id, []]))
  const unreadable = new Map<string, string>()
  for (const object of attached) {
    const its = object.tagIds.map((id) => tags.get(id) ?? 'gone').filter((tag) => tag !== 'gone')
    const hidden = its.find((tag) => 'hidden' in tag)
    if (hidden === undefined) byObject.set(object.id, its.filter(isTag))
    else {
      byObject.delete(object.id)
      unreadable.set(object.id, hidden.hidden)
    }
  }
  return { byObject, unreadable }
}

/** Something to be named; or that it was deleted meanwhile; or why we may not see it. */
type Seen<T> = T | 'gone' | { readonly hidden: string }

async function seen<T>(reading: Promise<T>): Promise<Seen<T>> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof NotFound) return 'gone'
    if (error instanceof VSphereError && error.kind === 'no-permission') return { hidden: error.message }
    throw error
  }
}

function isTag(tag: Tag | { readonly hidden: string }): tag is Tag {
  return !('hidden' in tag)
}

async function readTag(rest: RestApi, id: string): Promise<Tag> {
  const tag = fieldsOf(await rest.get(rest.tagging('tag', id)), 'a tag')
  const name = textOf(tag['name'], 'a tag with a name')
  const category = await readCategoryName(rest, textOf(tag['category_id'], 'a tag with a category'))
  return { name, category }
}

async function readCategoryName(rest: RestApi, id: string): Promise<string> {
  const category = fieldsOf(await rest.get(rest.tagging('category', id)), 'a tag category')
  return textOf(category['name'], 'a tag category with a name')
}

function attachmentOf(value: unknown): { readonly id: string; readonly tagIds: readonly string[] } {
  const { object_id, tag_ids } = fieldsOf(value, 'a list of attached tags')
  const { id } = fieldsOf(object_id, 'attached tags of an object')
  return { id: textOf(id, 'an object id'), tagIds: listOf(tag_ids).map((tag) => textOf(tag, 'the id of a tag')) }
}
