// Holds answers to the published document of an interface: the status must be declared, the body
// must fit its schema.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { member } from '../../runtime/host/member.ts'
import type { Answer } from '../support/http.ts'

/** Fails the test where the answer to `GET /path?query` is none that the document declares. */
export type Conforms = (line: string, answer: Answer) => void

export async function conformanceOf(interfaceName: string): Promise<Conforms> {
  const file = new URL(`../../generated/${interfaceName}/openapi.json`, import.meta.url)
  const document: unknown = JSON.parse(await readFile(file, 'utf8'))
  const ajv = new Ajv2020({ strict: false, logger: false })
  addFormatsModule.default(ajv)
  for (const ignored of ['int64', 'decimal', 'byte', 'int32']) ajv.addFormat(ignored, true)
  ajv.addSchema({ ...Object(document), $id: 'document' })
  const templates = Object.keys(Object(member(document, 'paths')))
  return (line, { status, json, text }) => {
    const [method = '', target = ''] = line.split(' ')
    const path = bestOf(
      templates.filter((template) => patternOf(template).test(target.replace(/\?.*/s, ''))),
    )
    const responses = at(document, 'paths', path, method.toLowerCase(), 'responses')
    assert.ok(responses !== undefined, `${line} is not an operation`)
    const name = member(responses, String(status)) === undefined ? 'default' : String(status)
    const schema = at(
      resolved(document, member(responses, name)),
      'content',
      'application/json',
      'schema',
    )
    if (schema === undefined) return assert.equal(text, '', `${line}: ${status} has no body`)
    const fits = ajv.compile(rooted(schema))
    assert.ok(fits(json), `${line} ${status} ${ajv.errorsText(fits.errors)}: ${text.slice(0, 500)}`)
  }
}

function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(member, value)
}

/** Literal segments before parameters. */
function bestOf(templates: readonly string[]): string {
  return (
    templates.toSorted((one, other) => one.split('{').length - other.split('{').length)[0] ?? ''
  )
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
}

function resolved(document: unknown, value: unknown): unknown {
  const reference = member(value, '$ref')
  return typeof reference === 'string' ? at(document, ...reference.slice(2).split('/')) : value
}

/** References of the document as Ajv finds them. */
function rooted(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#'))
}
