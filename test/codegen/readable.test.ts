// Text of format `readable`: what is accepted is in Unicode's form NFC and shows all that it has.
// The oracle here lists characters by their general categories and contexts one by one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isReadable } from '../../generated/validation.gen.ts'

const ACCEPTED = [
  '',
  'Rent for May',
  'one\n\ntwo',
  'ÄÖÜ ñ Ł ж 中文 한국어 ไทย',
  'שלום עולם',
  'مرحبا بالعالم',
  'می\u200cخواهم',
  'क\u094d\u200dष and ശ്രീ',
  '👩\u200d🚀 ❤\ufe0f 1\ufe0f\u20e3 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 👋🏽',
  'Merci\u00a0!',
  '山田\u3000太郎',
]
const REFUSED = [
  ' a',
  'a ',
  'a\n',
  'a\u00a0',
  '\u3000a',
  'a\tb',
  'a\r\nb',
  'a\u0000b',
  'a\u0085b',
  'pay\u202eecila',
  '\u2066a\u2069',
  'a\u200eb',
  'a\u061cb',
  'a\u200bb',
  'a\u2060b',
  '\ufeffa',
  'a\u00adb',
  'a\u200db',
  'a\u200cb',
  '👍\u200d👎',
  'a\ufe0f',
  'a\u034fb',
  'a\u3164b',
  'a\u115fb',
  'a\u2800b',
  'a\u2028b',
  'a\u{e0061}b',
  'a\u{1d173}b',
  'a\ud800b',
  'e\u0301',
  '\u212b',
  'क\u094d😀\u200d',
]

test('what people write is accepted, in any script', () => {
  for (const text of ACCEPTED) assert.equal(isReadable(text.normalize()), true, shown(text))
})

test('what hides something, turns the direction or is not in form NFC is refused', () => {
  for (const text of REFUSED) assert.equal(isReadable(text), false, shown(text))
})

const HOSTILE = [...REFUSED, ...ACCEPTED].flatMap((text) => [...text])
const texts = fc.string({
  unit: fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 1 })),
  maxLength: 12,
})

test('whatever is accepted is in form NFC and hides nothing', () => {
  fc.assert(
    fc.property(texts, (text) => {
      if (!isReadable(text)) return
      assert.equal(text, text.normalize('NFC'))
      assert.equal(text, text.trim())
      const points = [...text]
      for (const [at, point] of points.entries())
        assert.ok(isShown(point) || hasPlace(points, at), `${shown(text)} at ${at}`)
    }),
    { numRuns: 20_000 },
  )
})

test('a long text is decided in time that grows as the text does', () => {
  for (const text of [
    '😀'.repeat(50_000) + '\u202e',
    '\u094d\u200d'.repeat(50_000) + '\u202e',
    'ب\u0651'.repeat(50_000) + '\u202e',
  ])
    assert.equal(isReadable(text.normalize()), false)
})

/** Whether a character is shown, by the general categories of the Unicode Standard. */
function isShown(point: string): boolean {
  const isHidden = /^(?:\p{C}|[\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\u034f])$/u
  const isSelector = /^[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]$/u
  const mayBe = /^(?:\n|\p{Co}|\p{Cn})$/u
  return (
    (!isHidden.test(point) || mayBe.test(point)) &&
    !isSelector.test(point) &&
    !/^\p{Noncharacter_Code_Point}$/u.test(point) &&
    !/^[\u2028\u2029]$/u.test(point)
  )
}

/** Whether a joiner has a place: within an emoji, between Arabic letters, or after a virama. */
function hasPlace(points: readonly string[], at: number): boolean {
  const [before = '', after = ''] = [points[at - 1], points[at + 1]]
  const inEmoji = /[\p{Emoji}\p{Emoji_Modifier}\ufe0f\u200d\u{e0020}-\u{e007f}]/u
  if (inEmoji.test(before)) return true
  return /[\p{M}\p{Script=Arabic}]/u.test(before) && /[\p{L}\p{M}\s]?/u.test(after)
}

function shown(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[^ -~]/gu,
    (point) => `\\u{${(point.codePointAt(0) ?? 0).toString(16)}}`,
  )
}
