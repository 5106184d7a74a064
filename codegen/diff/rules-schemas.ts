// Rules for schemas. What is harmless in a request may break in a response: each row judges both
// ways.
import { rules } from '../rules/rule.ts'
import { A, B, E, N, fixed, ways } from './rule.ts'
import type { Ways } from './rule.ts'
import { KEYWORD_RULES, NARROWER, OTHER, WIDER } from './rules-keywords.ts'

/** Fewer values, and code that names one that is gone no longer compiles. */
const FEWER_NAMED: Ways = { request: [B, B], response: [A, B] }
/** Values of a new kind: whoever receives them has to handle them. */
const MORE_KINDS: Ways = { request: [A, B], response: [B, A] }
/** Words, or a flag that asks nothing. */
const WORDS: Ways = { request: [E, E], response: [E, E] }
const NEWS: Ways = { request: [A, N], response: [A, N] }

export const SCHEMA_RULES = {
  ...rules(fixed(N, A), {
    'schema-added': 'the schema is new',
  }),
  ...rules(fixed(E, B), {
    'schema-removed': 'the schema is gone',
    'schema-renamed': 'the schema is called {after}, was {before} (x-renamed-from)',
  }),
  ...rules(fixed(N, E), {
    'unused-schema-removed': 'the schema, which no operation that is still there used, is gone',
  }),
  ...rules(fixed(E, E), {
    'reference-changed': 'the schema is {after}, was {before}',
    'schema-rewritten': 'the schema is written in another way',
  }),
  ...rules(ways(FEWER_NAMED), {
    'schema-declared': 'a schema is given, there was none',
    'schema-closed': 'no value is valid any more',
  }),
  ...rules(ways(MORE_KINDS), {
    'schema-dropped': 'no schema is given any more',
    'schema-opened': 'there are valid values, there were none',
  }),
}

export const VALUE_RULES = {
  ...rules(ways(MORE_KINDS), {
    'type-widened': 'the type is {after}, was {before}',
    'null-allowed': 'null is allowed',
    'enum-value-added': 'the value {name} is new',
    'enum-dropped': 'any value is valid, only {before} were',
    'const-removed': 'other values than {before} are valid',
  }),
  ...rules(ways(NARROWER), {
    'type-narrowed': 'the type is {after}, was {before}',
    'null-forbidden': 'null is no longer allowed',
    'format-added': 'the format is {after}, there was none',
    'enum-declared': 'only {after} are valid, any value was',
    'const-added': 'only {after} is valid',
  }),
  ...rules(ways(OTHER), {
    'type-changed': 'the type is {after}, was {before}',
    'format-changed': 'the format is {after}, was {before}',
    'const-changed': 'only {after} is valid, was {before}',
  }),
  ...rules(ways(WIDER), {
    'format-removed': 'there is no format any more, was {before}',
  }),
  ...rules(
    ways({
      request: [A, B],
      response: [B, B],
    }),
    {
      'int64-added': 'integers have 64 bits (bigint), the format was {before}',
    },
  ),
  ...rules(ways({ request: [B, B], response: [A, B] }), {
    'int64-removed': 'integers no longer have 64 bits (bigint), the format is {after}',
  }),
  ...rules(ways(FEWER_NAMED), {
    'enum-value-removed': 'the value {name} is gone',
  }),
  ...rules(ways(WORDS), {
    'enum-reordered': 'the values are {after}, were {before}',
  }),
  ...KEYWORD_RULES,
}

export const SHAPE_RULES = {
  ...rules(
    ways({
      request: [A, A],
      response: [A, A],
    }),
    {
      'property-added-optional': 'the optional property {name} is new',
    },
  ),
  ...rules(
    ways({
      request: [B, A],
      response: [A, B],
    }),
    {
      'property-added-required': 'the property {name} is new and required',
    },
  ),
  ...rules(ways(OTHER), {
    'property-removed': 'the property {name} is gone',
    'discriminator-property-changed': 'the discriminator is {after}, was {before}',
    'not-changed': 'values must not match {after}, was {before}',
  }),
  ...rules(ways({ request: [B, A], response: [A, B] }), {
    'property-became-required': 'the property {name} is required now',
  }),
  ...rules(ways({ request: [A, B], response: [B, A] }), {
    'property-became-optional': 'the property {name} is no longer required',
  }),
  ...rules(ways(WORDS), {
    'required-reordered': 'required is {after}, was {before}',
    'variants-reordered': 'the variants are {after}, were {before}',
    'discriminator-target-changed': 'the tag {name} means {after}, was {before}',
  }),
  ...rules(ways(NARROWER), {
    'additional-properties-forbidden': 'other properties are no longer allowed',
    'additional-properties-restricted': 'other properties have a schema, had none',
    'pattern-property-added': 'properties like {name} have a schema, had none',
    'property-names-restricted': 'names of properties are restricted: {after}',
    'items-restricted': 'items have a schema, had none',
    'tuple-item-added': 'item {name} has a schema of its own',
    'part-added': 'values must match {name} besides',
    'any-of-became-one-of': 'exactly one variant must match, was anyOf',
    'discriminator-added': 'the discriminator is {after}, there was none',
    'not-added': 'values must not match {after}',
  }),
  ...rules(ways({ request: [A, A], response: [A, A] }), {
    'additional-properties-allowed': 'other properties are allowed',
  }),
  ...rules(ways(MORE_KINDS), {
    'additional-properties-freed': 'other properties have no schema, had one',
    'pattern-property-removed': 'properties like {name} have no schema, had one',
    'items-freed': 'items have no schema, had one',
    'tuple-item-removed': 'item {name} has no schema of its own any more',
    'variant-added': 'the variant {name} is new',
    'variants-dropped': 'values need no longer be one of {before}',
    'part-removed': 'values need not match {name} any more',
    'discriminator-tag-added': 'the tag {name} is new',
    'not-removed': 'values may match {before}',
  }),
  ...rules(ways(WIDER), {
    'property-names-freed': 'names of properties are no longer restricted, were {before}',
    'one-of-became-any-of': 'several variants may match, was oneOf',
    'discriminator-removed': 'there is no discriminator any more, was {before}',
  }),
  ...rules(ways(FEWER_NAMED), {
    'variant-removed': 'the variant {name} is gone',
    'variants-declared': 'values must be one of {after}',
    'discriminator-tag-removed': 'the tag {name} is gone',
  }),
}

export const TEXT_RULES = {
  ...rules(
    ways({
      request: [A, A],
      response: [A, N],
    }),
    {
      'default-added': 'the default is {after}, there was none',
    },
  ),
  ...rules(
    ways({
      request: [B, B],
      response: [B, N],
    }),
    {
      'default-removed': 'there is no default any more, was {before}',
    },
  ),
  ...rules(
    ways({
      request: [B, A],
      response: [B, N],
    }),
    {
      'default-changed': 'the default is {after}, was {before}',
    },
  ),
  ...rules(
    ways({
      request: [B, A],
      response: [E, E],
    }),
    {
      'read-only-added': 'it is read only: requests must leave it out',
    },
  ),
  ...rules(
    ways({
      request: [A, A],
      response: [E, E],
    }),
    {
      'read-only-removed': 'it is no longer read only: requests may bring it',
    },
  ),
  ...rules(
    ways({
      request: [E, E],
      response: [B, B],
    }),
    {
      'write-only-added': 'it is write only: responses leave it out',
    },
  ),
  ...rules(ways({ request: [E, E], response: [A, A] }), {
    'write-only-removed': 'it is no longer write only: responses may bring it',
  }),
  ...rules(ways(NEWS), {
    'schema-deprecated': 'it is deprecated',
    'schema-undeprecated': 'it is no longer deprecated',
  }),
  ...rules(ways(WORDS), {
    'description-changed': 'the description is {after}, was {before}',
    'examples-changed': 'the examples are others',
    'error-text-changed': 'a violation is answered with {after}, was {before}',
    'schema-extension-changed': '{name} is {after}, was {before}',
  }),
  ...rules(ways({ request: [B, N], response: [E, E] }), {
    'error-code-changed': 'a violation is answered with the code {after}, was {before}',
  }),
}
