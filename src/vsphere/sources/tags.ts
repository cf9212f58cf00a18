import { chunks } from '../read/chunks.ts'
import { fieldsOf, listOf, textOf } from '../vim/shape.ts'
import type { ObjectId, Tag, TagCategory } from './model.ts'
import type { RestApi } from './rest-api.ts'

const objectsPerCall = 500

export async function readTagCategories(rest: RestApi): Promise<readonly TagCategory[]> {
  const ids = listOf(await rest.get(rest.tagging('category')))
  return Promise.all(ids.map((id) => readCategory(rest, textOf(id, 'the id of a tag category'))))
}

/** One call for all objects, then one for each distinct tag and category: the API has no other way to their names. */
export async function readTags(rest: RestApi, on: readonly ObjectId[]): Promise<ReadonlyMap<string, readonly Tag[]>> {
  const path = rest.tagging('tag-association', undefined, 'list-attached-tags-on-objects')
  const answers = await Promise.all(
    chunks(on, objectsPerCall).map((chunk) =>
      rest.post(path, { object_ids: chunk.map(({ type, id }) => ({ type, id })) }),
    ),
  )
  const attached = answers.flatMap(listOf).map(attachmentOf)
  const names = await readNames(rest, new Set(attached.flatMap(({ tagIds }) => tagIds)))
  const byObject = new Map(attached.map(({ id, tagIds }) => [id, tagIds]))
  return new Map(on.map(({ id }) => [id, (byObject.get(id) ?? []).flatMap((tag) => names.get(tag) ?? [])]))
}

async function readNames(rest: RestApi, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, Tag>> {
  const tags = await Promise.all([...ids].map((id) => readTag(rest, id)))
  const categoryIds = [...new Set(tags.map(({ categoryId }) => categoryId))]
  const categories = await Promise.all(categoryIds.map((id) => readCategory(rest, id)))
  const names = new Map(categories.map(({ id, name }) => [id, name]))
  return new Map(tags.map(({ id, name, categoryId }) => [id, { name, category: names.get(categoryId) ?? categoryId }]))
}

async function readTag(rest: RestApi, id: string) {
  const tag = fieldsOf(await rest.get(rest.tagging('tag', id)), 'a tag')
  return {
    id,
    name: textOf(tag['name'], 'a tag with a name'),
    categoryId: textOf(tag['category_id'], 'a tag with a category'),
  }
}

async function readCategory(rest: RestApi, id: string): Promise<TagCategory> {
  const category = fieldsOf(await rest.get(rest.tagging('category', id)), 'a tag category')
  return { id, name: textOf(category['name'], 'a tag category with a name') }
}

function attachmentOf(value: unknown): { readonly id: string; readonly tagIds: readonly string[] } {
  const { object_id, tag_ids } = fieldsOf(value, 'a list of attached tags')
  const { id } = fieldsOf(object_id, 'attached tags of an object')
  return { id: textOf(id, 'an object id'), tagIds: listOf(tag_ids).map((tag) => textOf(tag, 'the id of a tag')) }
}
