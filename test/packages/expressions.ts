// Expressions of test packages, written by the public format alone.
import { bytes, number } from '../support/dar-writer.ts'
import type { PackageEncoder, TypeSpec, Write } from '../support/dar-writer.ts'

export type { Write } from '../support/dar-writer.ts'

export const unit: Write = () => number(5, 0)
export const yes: Write = () => number(5, 2)
export const text =
  (value: string): Write =>
  (encoder) =>
    bytes(6, number(4, encoder.text(value)))
export const int =
  (value: number): Write =>
  () =>
    bytes(6, number(1, value * 2))
export const category =
  (index: number): Write =>
  () =>
    bytes(6, number(6, index))
export const variable =
  (name: string): Write =>
  (encoder) =>
    number(2, encoder.text(name))
export const value =
  (name: string): Write =>
  (encoder) =>
    bytes(3, encoder.reference(name))
export const builtin =
  (index: number): Write =>
  () =>
    number(4, index)

export const apply =
  (applied: Write, ...args: readonly Write[]): Write =>
  (encoder) =>
    bytes(15, bytes(1, applied(encoder)), ...args.map((each) => bytes(2, each(encoder))))

export const applyTypes =
  (applied: Write, ...types: readonly TypeSpec[]): Write =>
  (encoder) =>
    bytes(16, bytes(1, applied(encoder)), ...types.map((each) => bytes(2, encoder.type(each))))

export const lambda =
  (name: string, type: TypeSpec, body: Write): Write =>
  (encoder) =>
    bytes(17, bytes(1, binder(encoder, name, type)), bytes(2, body(encoder)))

export const letIn =
  (name: string, type: TypeSpec, bound: Write, body: Write): Write =>
  (encoder) =>
    bytes(
      20,
      bytes(1, bytes(1, binder(encoder, name, type)), bytes(2, bound(encoder))),
      bytes(2, body(encoder)),
    )

/** Alternatives as patterns, with what they lead to. */
export const caseOf =
  (scrutinee: Write, ...alternatives: readonly (readonly [pattern: Write, body: Write])[]): Write =>
  (encoder) =>
    bytes(
      19,
      bytes(1, scrutinee(encoder)),
      ...alternatives.map(([pattern, body]) => bytes(2, bytes(1, body(encoder)), pattern(encoder))),
    )
export const isNone: Write = () => bytes(7)
export const isSome =
  (name: string): Write =>
  (encoder) =>
    bytes(8, number(1, encoder.text(name)))

export const record =
  (type: TypeSpec, fields: Readonly<Record<string, Write>>): Write =>
  (encoder) =>
    bytes(
      7,
      bytes(1, bytes(1, encoder.reference(type.constructed ?? '', type.package))),
      ...Object.entries(fields).map(([name, field]) =>
        bytes(2, number(3, encoder.text(name)), bytes(2, field(encoder))),
      ),
    )

export const field =
  (type: TypeSpec, name: string, held: Write): Write =>
  (encoder) =>
    bytes(
      8,
      bytes(1, bytes(1, encoder.reference(type.constructed ?? ''))),
      number(4, encoder.text(name)),
      bytes(3, held(encoder)),
    )

export const listOf =
  (type: TypeSpec, ...elements: readonly Write[]): Write =>
  (encoder) => {
    const nil = bytes(21, bytes(1, encoder.type(type)))
    if (elements.length === 0) return nil
    const front = elements.map((each) => bytes(2, each(encoder)))
    return bytes(22, bytes(1, encoder.type(type)), ...front, bytes(3, nil))
  }

export const some =
  (type: TypeSpec, held: Write): Write =>
  (encoder) =>
    bytes(26, bytes(1, encoder.type(type)), bytes(2, held(encoder)))

export const none =
  (type: TypeSpec): Write =>
  (encoder) =>
    bytes(25, bytes(1, encoder.type(type)))

export const toAny =
  (type: TypeSpec, held: Write): Write =>
  (encoder) =>
    bytes(27, bytes(1, encoder.type(type)), bytes(2, held(encoder)))

export const update =
  (field: number, body: Write): Write =>
  (encoder) =>
    bytes(23, bytes(field, body(encoder)))
export const pure = (type: TypeSpec, held: Write): Write =>
  update(1, (encoder) => Buffer.concat([bytes(1, encoder.type(type)), bytes(2, held(encoder))]))
export const create = (template: string, argument: Write, packageId?: string): Write =>
  update(3, (encoder) =>
    Buffer.concat([bytes(1, encoder.reference(template, packageId)), bytes(2, argument(encoder))]),
  )
export const fetch = (template: string, contractId: Write): Write =>
  update(5, (encoder) =>
    Buffer.concat([bytes(1, encoder.reference(template)), bytes(2, contractId(encoder))]),
  )
export const fetchInterface = (of: TypeSpec, contractId: Write): Write =>
  update(14, (encoder) =>
    Buffer.concat([
      bytes(1, encoder.reference(of.constructed ?? '', of.package)),
      bytes(2, contractId(encoder)),
    ]),
  )
export const bind = (name: string, type: TypeSpec, bound: Write, body: Write): Write =>
  update(2, (encoder) =>
    Buffer.concat([
      bytes(1, bytes(1, binder(encoder, name, type)), bytes(2, bound(encoder))),
      bytes(2, body(encoder)),
    ]),
  )

/** An exception of a type, in place of an update of another type. */
export const thrown =
  (result: TypeSpec, exception: TypeSpec, held: Write): Write =>
  (encoder) =>
    bytes(
      32,
      bytes(1, encoder.type(result)),
      bytes(2, encoder.type(exception)),
      bytes(3, held(encoder)),
    )

/** An update, or the one that handles its exception. */
export const attempt = (result: TypeSpec, tried: Write, handler: Write): Write =>
  update(11, (encoder) =>
    Buffer.concat([
      bytes(1, encoder.type(result)),
      bytes(2, tried(encoder)),
      number(3, encoder.text('exception')),
      bytes(4, handler(encoder)),
    ]),
  )

/** A body that nests what it is given. */
export const nested = (depth: number, around: (inner: Write) => Write, inner: Write): Write => {
  let body = inner
  for (let level = 0; level < depth; level++) body = around(body)
  return body
}

function binder(encoder: PackageEncoder, name: string, type: TypeSpec): Buffer {
  return Buffer.concat([number(3, encoder.text(name)), bytes(2, encoder.type(type))])
}
