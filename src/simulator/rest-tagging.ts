import { z } from 'zod'
import { type Answer, type Call, json, notFound } from './answer.ts'
import { RestError } from './rest-error.ts'
import { type Category, type Tag, type Tagging, taggingOf } from './tags.ts'
import type { VCenter } from './vcenter.ts'
import type { Json } from './vim-value.ts'

/** `/api/cis/tagging/{category,tag,tag-association}`. */
export function taggingRoute(call: Call, vcenter: VCenter): Answer {
  const [resource = '', id] = call.segments.slice(3)
  const action = call.query.get('action')
  const template = `${resource}${id === undefined ? '' : '/{id}'}${action === null ? '' : `?action=${action}`}`
  const operation = operations[`${call.method} ${template}`]
  if (!operation) return notFound
  const body = call.body === '' ? {} : JSON.parse(call.body)
  return json(200, operation(taggingOf(vcenter.world, vcenter.inventory), id ?? '', body))
}

type Operation = (tagging: Tagging, id: string, body: unknown) => Json

const dynamicId = z.object({ type: z.string(), id: z.string() })

const operations: Readonly<Record<string, Operation | undefined>> = {
  'GET category': ({ categories }) => categories.map(({ id }) => id),
  'GET category/{id}': ({ categories }, id) => categoryInfo(found(categories, id)),
  'GET tag': ({ tags }) => tags.map(({ id }) => id),
  'GET tag/{id}': ({ tags }, id) => tagInfo(found(tags, id)),
  'POST tag?action=list-tags-for-category': ({ categories, tags }, _, body) => {
    const { category_id } = z.object({ category_id: z.string() }).parse(body)
    const { id } = found(categories, category_id)
    return tags.filter((tag) => tag.categoryId === id).map((tag) => tag.id)
  },
  'POST tag-association?action=list-attached-tags': ({ tags }, _, body) => {
    const { object_id } = z.object({ object_id: dynamicId }).parse(body)
    return tagsOn(object_id.id, tags)
  },
  'POST tag-association?action=list-attached-tags-on-objects': ({ tags }, _, body) => {
    const { object_ids } = z.object({ object_ids: z.array(dynamicId) }).parse(body)
    return object_ids.map(({ type, id }) => ({ object_id: { type, id }, tag_ids: tagsOn(id, tags) }))
  },
}

function tagsOn(objectId: string, tags: readonly Tag[]): readonly string[] {
  return tags.filter((tag) => tag.objectIds.has(objectId)).map((tag) => tag.id)
}

function categoryInfo({ id, category }: Category): Json {
  const { name, cardinality = 'SINGLE', associableTypes = [] } = category
  return { id, name, description: '', cardinality, associable_types: associableTypes, used_by: [] }
}

function tagInfo({ id, categoryId, tag }: Tag): Json {
  return { id, category_id: categoryId, name: tag.name, description: tag.description ?? '', used_by: [] }
}

function found<T extends { readonly id: string }>(all: readonly T[], id: string): T {
  const one = all.find((candidate) => candidate.id === id)
  if (one) return one
  throw new RestError(404, 'NOT_FOUND', 'cis.tagging.objectNotFound.error', 'Tagging object not found')
}
