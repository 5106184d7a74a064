// What the wallet takes for alike, and whom a name names: pairs that an eye confuses, and texts
// that turn what stands around them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apart } from '../../plugins/wallet-ui/web/src/lib/language.ts'
import { lookAlikes, skeletonOf } from '../../plugins/wallet-ui/web/src/lib/look-alike.ts'
import { shortened } from '../../plugins/wallet-ui/web/src/lib/party.ts'
import { doubtsOf } from '../../plugins/wallet-ui/web/src/lib/spelling.ts'
import { named } from '../../plugins/wallet-ui/web/src/lib/whom.ts'

const id = (hint: string, digit: string): string => `${hint}::1220${digit.repeat(64)}`

test('names that draw alike have one skeleton, others have not', () => {
  for (const [one, other] of [
    ['bob', 'b0b'],
    ['bob', 'Bob'],
    ['bob', 'bоb'],
    ['bob', 'bоЬ'],
    ['bob', 'bób'],
    ['bob', 'ｂｏｂ'],
    ['bob', 'b\u200bo\u202eb'],
    ['bob', ' bob '],
    ['alice', 'a1ice'],
    ['alice', 'aIice'],
    ['alice', 'αlісе'],
    ['maria', 'rnaria'],
    ['wendy', 'vvendy'],
    ['dora', 'clora'],
    ['Bob Meier', 'bob-meier'],
    ['bob', 'bob-6f1c6a5e-2f0b-4a77-9d5e-0f0e6c1d2b3a'],
  ] as const)
    assert.equal(skeletonOf(one), skeletonOf(other), `${one} and ${other}`)
  for (const [one, other] of [
    ['bob', 'rob'],
    ['alice', 'alicia'],
    ['user1', 'user2'],
    ['anna', 'anne'],
  ] as const)
    assert.notEqual(skeletonOf(one), skeletonOf(other), `${one} and ${other}`)
})

test('what a name is spelled with is named in words where an eye takes it for something else', () => {
  const said = (name: string): string =>
    doubtsOf(name)
      .map(({ words, places }) => `${places.join(', ')}: ${words}`)
      .join('; ')
  for (const [name, expected] of [
    ['bob', ''],
    ['a-b_c', ''],
    ['lilian', '1, 3: small l (L)'],
    ['liIian', '1: small l (L); 3: capital I (i)'],
    ['b0bO1', '2: digit 0 (zero); 4: capital O (o); 5: digit 1 (one)'],
    ['marna', '1: one letter, m; 3: two letters, r and n'],
    ['_-bob_', '1, 6: underscore; 2: hyphen'],
    ['Carl ', '1: capital C; 4: small l (L); 5: space'],
    ['bоb', '2: о, which is not o'],
    ['жук', '2: у, which is not y; 3: к, which is not k'],
  ] as const)
    assert.equal(said(name), expected, name)
})

test('ids with the same ends are alike, whatever they are called; parties of one validator are not', () => {
  const [one, ground] = [`1220abcd${'1'.repeat(56)}ef01`, `1220abcd${'2'.repeat(56)}ef01`]
  assert.deepEqual(lookAlikes(`carl::${one}`, [`bob::${ground}`, id('dora', '3')]), [
    `bob::${ground}`,
  ])
  assert.deepEqual(lookAlikes(`carl::${one}`, [`bob::${one}`, `carl::${one}`]), [])
  assert.deepEqual(lookAlikes(id('bob', '1'), [id('b0b', '1'), id('bob', '2')]), [
    id('b0b', '1'),
    id('bob', '2'),
  ])
})

test('a name is a contact or a party of the own validator; any other is a choice', () => {
  const [contact, near, paid] = [id('x', '1'), id('bob', '2'), id('bob', '3')]
  const nobody = { own: id('me', '2'), contacts: [], paid: [] }
  const contacts = [{ party: contact, name: 'Bob' }]
  const choice = (...parties: readonly string[]): object => ({ kind: 'choice', parties })
  const one = (party: string): object => ({ kind: 'one', party })
  for (const [text, candidates, expected] of [
    ['bob', nobody, { kind: 'nobody' }],
    ['bob', { ...nobody, contacts }, one(contact)],
    ['bob', { ...nobody, near }, one(near)],
    ['bob', { ...nobody, paid: [paid] }, choice(paid)],
    ['bob', { ...nobody, holder: near }, choice(near)],
    ['bob', { ...nobody, contacts, near }, choice(contact, near)],
    ['bob', { ...nobody, near, paid: [paid, near] }, choice(near, paid)],
    ['b0b', { ...nobody, contacts }, choice(contact)],
    ['bоb', { ...nobody, contacts, paid: [paid] }, choice(contact, paid)],
    ['me', { ...nobody, near: nobody.own }, one(nobody.own)],
    [paid, { ...nobody, contacts, near }, one(paid)],
    ['bob::1220', nobody, one('bob::1220')],
    ['bob::', { ...nobody, contacts }, { kind: 'nobody' }],
  ] as const)
    assert.deepEqual(named(text, candidates), expected, text)
})

test('a shortened id keeps 64 bits, and no name turns the sentence around it', () => {
  const digits = '0123456789abcdef'.repeat(4)
  assert.equal(shortened(`bob::1220${digits}`), 'bob::122001234567…89abcdef')
  assert.equal(apart('Bob'), 'Bob')
  assert.equal(apart('a\u202eb'), 'a\ufffdb')
  assert.equal(apart('שלום'), '\u2068שלום\u2069')
})
