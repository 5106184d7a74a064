// Rules for schemas. What is harmless in a request may break in a response: each row judges both
// ways.
import { A, B, E, N, fixed, ways } from './rule.ts'
import type { Rule, Ways } from './rule.ts'
import { KEYWORD_RULES, NARROWER, OTHER, WIDER } from './rules-keywords.ts'

/** Fewer values, and code that names one that is gone no longer compiles. */
const FEWER_NAMED: Ways = { request: [B, B], response: [A, B] }
/** Values of a new kind: whoever receives them has to handle them. */
const MORE_KINDS: Ways = { request: [A, B], response: [B, A] }
/** Words, or a flag that asks nothing. */
const WORDS: Ways = { request: [E, E], response: [E, E] }
const NEWS: Ways = { request: [A, N], response: [A, N] }

export const SCHEMA_RULES = {
  'schema-added': fixed('the schema is new', 'schema-removed', N, A),
  'schema-removed': fixed('the schema is gone', 'schema-added', E, B),
  'unused-schema-removed': fixed(
    'the schema, which no operation that is still there used, is gone',
    'schema-added',
    N,
    E,
  ),
  'schema-renamed': fixed(
    'the schema is called {after}, was {before} (x-renamed-from)',
    'schema-renamed',
    E,
    B,
  ),
  'reference-changed': fixed('the schema is {after}, was {before}', 'reference-changed', E, E),
  'schema-rewritten': fixed('the schema is written in another way', 'schema-rewritten', E, E),
  'schema-declared': ways('a schema is given, there was none', 'schema-dropped', FEWER_NAMED),
  'schema-dropped': ways('no schema is given any more', 'schema-declared', MORE_KINDS),
  'schema-closed': ways('no value is valid any more', 'schema-opened', FEWER_NAMED),
  'schema-opened': ways('there are valid values, there were none', 'schema-closed', MORE_KINDS),
} satisfies Record<string, Rule>

export const VALUE_RULES = {
  'type-widened': ways('the type is {after}, was {before}', 'type-narrowed', MORE_KINDS),
  'type-narrowed': ways('the type is {after}, was {before}', 'type-widened', NARROWER),
  'type-changed': ways('the type is {after}, was {before}', 'type-changed', OTHER),
  'null-allowed': ways('null is allowed', 'null-forbidden', MORE_KINDS),
  'null-forbidden': ways('null is no longer allowed', 'null-allowed', NARROWER),
  'format-added': ways('the format is {after}, there was none', 'format-removed', NARROWER),
  'format-removed': ways('there is no format any more, was {before}', 'format-added', WIDER),
  'format-changed': ways('the format is {after}, was {before}', 'format-changed', OTHER),
  'int64-added': ways('integers have 64 bits (bigint), the format was {before}', 'int64-removed', {
    request: [A, B],
    response: [B, B],
  }),
  'int64-removed': ways(
    'integers no longer have 64 bits (bigint), the format is {after}',
    'int64-added',
    { request: [B, B], response: [A, B] },
  ),
  'enum-value-added': ways('the value {name} is new', 'enum-value-removed', MORE_KINDS),
  'enum-value-removed': ways('the value {name} is gone', 'enum-value-added', FEWER_NAMED),
  'enum-declared': ways('only {after} are valid, any value was', 'enum-dropped', NARROWER),
  'enum-dropped': ways('any value is valid, only {before} were', 'enum-declared', MORE_KINDS),
  'enum-reordered': ways('the values are {after}, were {before}', 'enum-reordered', WORDS),
  'const-added': ways('only {after} is valid', 'const-removed', NARROWER),
  'const-removed': ways('other values than {before} are valid', 'const-added', MORE_KINDS),
  'const-changed': ways('only {after} is valid, was {before}', 'const-changed', OTHER),
  ...KEYWORD_RULES,
} satisfies Record<string, Rule>

export const SHAPE_RULES = {
  'property-added-optional': ways('the optional property {name} is new', 'property-removed', {
    request: [A, A],
    response: [A, A],
  }),
  'property-added-required': ways('the property {name} is new and required', 'property-removed', {
    request: [B, A],
    response: [A, B],
  }),
  'property-removed': ways('the property {name} is gone', 'property-added-optional', OTHER),
  'property-became-required': ways(
    'the property {name} is required now',
    'property-became-optional',
    { request: [B, A], response: [A, B] },
  ),
  'property-became-optional': ways(
    'the property {name} is no longer required',
    'property-became-required',
    { request: [A, B], response: [B, A] },
  ),
  'required-reordered': ways('required is {after}, was {before}', 'required-reordered', WORDS),
  'additional-properties-forbidden': ways(
    'other properties are no longer allowed',
    'additional-properties-allowed',
    NARROWER,
  ),
  'additional-properties-allowed': ways(
    'other properties are allowed',
    'additional-properties-forbidden',
    { request: [A, A], response: [A, A] },
  ),
  'additional-properties-restricted': ways(
    'other properties have a schema, had none',
    'additional-properties-freed',
    NARROWER,
  ),
  'additional-properties-freed': ways(
    'other properties have no schema, had one',
    'additional-properties-restricted',
    MORE_KINDS,
  ),
  'pattern-property-added': ways(
    'properties like {name} have a schema, had none',
    'pattern-property-removed',
    NARROWER,
  ),
  'pattern-property-removed': ways(
    'properties like {name} have no schema, had one',
    'pattern-property-added',
    MORE_KINDS,
  ),
  'property-names-restricted': ways(
    'names of properties are restricted: {after}',
    'property-names-freed',
    NARROWER,
  ),
  'property-names-freed': ways(
    'names of properties are no longer restricted, were {before}',
    'property-names-restricted',
    WIDER,
  ),
  'items-restricted': ways('items have a schema, had none', 'items-freed', NARROWER),
  'items-freed': ways('items have no schema, had one', 'items-restricted', MORE_KINDS),
  'tuple-item-added': ways('item {name} has a schema of its own', 'tuple-item-removed', NARROWER),
  'tuple-item-removed': ways(
    'item {name} has no schema of its own any more',
    'tuple-item-added',
    MORE_KINDS,
  ),
  'variant-added': ways('the variant {name} is new', 'variant-removed', MORE_KINDS),
  'variant-removed': ways('the variant {name} is gone', 'variant-added', FEWER_NAMED),
  'variants-declared': ways('values must be one of {after}', 'variants-dropped', FEWER_NAMED),
  'variants-dropped': ways(
    'values need no longer be one of {before}',
    'variants-declared',
    MORE_KINDS,
  ),
  'variants-reordered': ways(
    'the variants are {after}, were {before}',
    'variants-reordered',
    WORDS,
  ),
  'part-added': ways('values must match {name} besides', 'part-removed', NARROWER),
  'part-removed': ways('values need not match {name} any more', 'part-added', MORE_KINDS),
  'one-of-became-any-of': ways(
    'several variants may match, was oneOf',
    'any-of-became-one-of',
    WIDER,
  ),
  'any-of-became-one-of': ways(
    'exactly one variant must match, was anyOf',
    'one-of-became-any-of',
    NARROWER,
  ),
  'discriminator-added': ways(
    'the discriminator is {after}, there was none',
    'discriminator-removed',
    NARROWER,
  ),
  'discriminator-removed': ways(
    'there is no discriminator any more, was {before}',
    'discriminator-added',
    WIDER,
  ),
  'discriminator-property-changed': ways(
    'the discriminator is {after}, was {before}',
    'discriminator-property-changed',
    OTHER,
  ),
  'discriminator-tag-added': ways('the tag {name} is new', 'discriminator-tag-removed', MORE_KINDS),
  'discriminator-tag-removed': ways(
    'the tag {name} is gone',
    'discriminator-tag-added',
    FEWER_NAMED,
  ),
  'discriminator-target-changed': ways(
    'the tag {name} means {after}, was {before}',
    'discriminator-target-changed',
    WORDS,
  ),
  'not-added': ways('values must not match {after}', 'not-removed', NARROWER),
  'not-removed': ways('values may match {before}', 'not-added', MORE_KINDS),
  'not-changed': ways('values must not match {after}, was {before}', 'not-changed', OTHER),
} satisfies Record<string, Rule>

export const TEXT_RULES = {
  'default-added': ways('the default is {after}, there was none', 'default-removed', {
    request: [A, A],
    response: [A, N],
  }),
  'default-removed': ways('there is no default any more, was {before}', 'default-added', {
    request: [B, B],
    response: [B, N],
  }),
  'default-changed': ways('the default is {after}, was {before}', 'default-changed', {
    request: [B, A],
    response: [B, N],
  }),
  'read-only-added': ways('it is read only: requests must leave it out', 'read-only-removed', {
    request: [B, A],
    response: [E, E],
  }),
  'read-only-removed': ways('it is no longer read only: requests may bring it', 'read-only-added', {
    request: [A, A],
    response: [E, E],
  }),
  'write-only-added': ways('it is write only: responses leave it out', 'write-only-removed', {
    request: [E, E],
    response: [B, B],
  }),
  'write-only-removed': ways(
    'it is no longer write only: responses may bring it',
    'write-only-added',
    { request: [E, E], response: [A, A] },
  ),
  'schema-deprecated': ways('it is deprecated', 'schema-undeprecated', NEWS),
  'schema-undeprecated': ways('it is no longer deprecated', 'schema-deprecated', NEWS),
  'description-changed': ways(
    'the description is {after}, was {before}',
    'description-changed',
    WORDS,
  ),
  'examples-changed': ways('the examples are others', 'examples-changed', WORDS),
  'error-code-changed': ways(
    'a violation is answered with the code {after}, was {before}',
    'error-code-changed',
    { request: [B, N], response: [E, E] },
  ),
  'error-text-changed': ways(
    'a violation is answered with {after}, was {before}',
    'error-text-changed',
    WORDS,
  ),
  'schema-extension-changed': ways(
    '{name} is {after}, was {before}',
    'schema-extension-changed',
    WORDS,
  ),
} satisfies Record<string, Rule>
