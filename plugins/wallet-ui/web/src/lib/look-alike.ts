// What can be mistaken for what by eye: names that draw alike, and party ids that are alike where
// one looks. After the skeletons of Unicode Technical Standard 39, with a table of what draws like
// a Latin letter: hints have no other letters, and the whole table would weigh as much as the page.
import { givenName, hintOf, namespaceOf } from './party.ts'

/**
 * Shapes: a character, then those that look like it. In lower case, after compatibility forms and
 * accents.
 */
const SHAPES =
  'aаαɑ bьβƅ cсϲ dԁɗ eеεєҽ fƒք gɡց hһհнη jјϳ kкκ l1|!iіıιɩӏǀ nոռп o0оοօσөѳ pрρ qԛգզ rгɾʀ sѕꜱʂ tтτ uυսц vνѵ xхχ× yуγү zʐ'
/** Two letters that look like one. */
const PAIRS = /[mм]|[wԝшωա]|cl/gu

const SHAPE: ReadonlyMap<string, string> = new Map(
  SHAPES.split(' ').flatMap(([shape = '', ...others]) => others.map((other) => [other, shape])),
)
/**
 * The ending that distinguishes hints of one user name if the plain one was taken or is no hint.
 */
const SUFFIX = /(?:-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|__[0-9a-f]{8})$/u
const UNSEEN = /[\p{M}\p{Default_Ignorable_Code_Point}\s._-]/gu

/** The same for names that draw alike. */
export function skeletonOf(name: string): string {
  const plain = name.replace(SUFFIX, '').normalize('NFKD').replaceAll(UNSEEN, '').toLowerCase()
  return [...plain]
    .map((letter) => SHAPE.get(letter) ?? letter)
    .join('')
    .replaceAll(PAIRS, (seen) => (seen === 'cl' ? 'd' : 'mм'.includes(seen) ? 'rn' : 'vv'))
}

/**
 * Which of `known` a person might take `party` for: other ids whose hint or given name draws like
 * its own (or like `name`, which it is to get), or whose long number begins and ends the same.
 */
export function lookAlikes(
  party: string,
  known: Iterable<string>,
  name = givenName(party) ?? '',
): readonly string[] {
  const names = skeletonsOf(hintOf(party), name)
  return [...new Set(known)].filter(
    (other) =>
      other !== party &&
      (skeletonsOf(hintOf(other), givenName(other) ?? '').some((one) => names.includes(one)) ||
        haveSameEnds(namespaceOf(party), namespaceOf(other))),
  )
}

function skeletonsOf(...names: readonly string[]): readonly string[] {
  return names.map(skeletonOf).filter((skeleton) => skeleton !== '')
}

/** Long numbers that were searched for until their ends fit. */
function haveSameEnds(one: string, other: string): boolean {
  return one !== other && endsOf(one) === endsOf(other)
}

/** All long numbers begin with the same four characters, which say how they are made. */
function endsOf(namespace: string): string {
  return (namespace.slice(4, 8) + namespace.slice(-4)).toLowerCase()
}
