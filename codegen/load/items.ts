// The item schemas of streams as OpenAPI 3.2 has them, in the one form that the IR knows: a list of
// what handlers yield.
import { fields, isFields, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { isSequence } from './lint-media.ts'
import { refName } from './refs.ts'

/**
 * A list schema of a stream's items; undefined where the media type is no sequence or says nothing
 * of items. `root` has the components.
 */
export function itemsOf(mediaType: string, media: Fields, root: Fields): unknown {
  const item = media['itemSchema']
  if (item === undefined || !isSequence(mediaType)) return undefined
  const isEvents = /^text\/event-stream\s*(?:;|$)/iu.test(mediaType)
  return {
    type: 'array',
    items: isEvents ? eventData(item, fields(fields(root['components'])['schemas'])) : item,
  }
}

/**
 * An event's schema describes its fields, of which `data` is the handler's: the schema of its
 * content where it has one.
 */
function eventData(item: unknown, schemas: Fields): unknown {
  const ref = text(fields(item)['$ref'])
  const event = ref === undefined ? item : schemas[refName(ref)]
  const data = fields(fields(event)['properties'])['data']
  if (data === undefined) return item
  return isFields(data) &&
    text(data['contentMediaType']) === 'application/json' &&
    data['contentSchema'] !== undefined
    ? data['contentSchema']
    : data
}
