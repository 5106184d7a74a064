// Rules for changes of keywords that limit values, made from the table of keywords.
import { A, B, N, ways } from './rule.ts'
import type { Rule, Ways } from './rule.ts'
import type { Change } from '../keywords/keyword.ts'
import { keywords } from '../keywords/table.ts'
import type { KEYWORDS, KeywordName } from '../keywords/table.ts'

/** Fewer values. Callers may send one that is refused; handlers may answer with one. */
export const NARROWER: Ways = { request: [B, N], response: [A, B] }
/**
 * More values of the same type. Handlers need not care; callers may get what they did not count on.
 */
export const WIDER: Ways = { request: [A, A], response: [B, A] }
/** Old and new values exclude each other. */
export const OTHER: Ways = { request: [B, B], response: [B, B] }
/** Some values are gone and some are new. */
const SHIFTED: Ways = { request: [B, A], response: [B, B] }

interface Endings {
  readonly limit: 'tightened' | 'loosened'
  readonly multiple: 'tightened' | 'loosened' | 'changed'
  readonly text: 'added' | 'removed' | 'changed'
  readonly flag: 'added' | 'removed'
  readonly value: 'changed'
}

export type Ending = Endings[keyof Endings]

type ChangeOf<K extends KeywordName> = Extract<(typeof KEYWORDS)[K], { change: Change }>['change']
type RuleOf<C extends Change> = C extends Change ? `${C['code']}-${Endings[C['as']]}` : never

/** `min-length-tightened` and the like. */
export type KeywordRule = { [K in KeywordName]: RuleOf<ChangeOf<K>> }[KeywordName]

/** Endings with what they say and for whom. */
function endingsOf(change: Change): readonly (readonly [Ending, string, Ways])[] {
  if (change.as === 'flag')
    return [
      ['added', change.added, NARROWER],
      ['removed', change.removed, WIDER],
    ]
  const { as, noun } = change
  const says = `${as === 'text' ? `the ${noun}` : noun} is {after}, was {before}`
  switch (as) {
    case 'value':
      return [['changed', says, OTHER]]
    case 'text':
      return [
        ['added', `the ${noun} is {after}, there was none`, NARROWER],
        ['removed', `there is no ${noun} any more, was {before}`, WIDER],
        ['changed', says, SHIFTED],
      ]
    default:
      return [
        ['tightened', says, NARROWER],
        ['loosened', says, WIDER],
        ...(as === 'multiple' ? [['changed', says, SHIFTED] as const] : []),
      ]
  }
}

function keywordRules(): Readonly<Record<KeywordRule, Rule>>
function keywordRules(): Readonly<Record<string, Rule>> {
  return Object.fromEntries(
    keywords().flatMap(([, { change }]) =>
      change === undefined
        ? []
        : endingsOf(change).map(([ending, says, both]) => [
            `${change.code}-${ending}`,
            { ...ways(both), says },
          ]),
    ),
  )
}

export const KEYWORD_RULES = keywordRules()

/** The rule of a change with that ending; throws where the table has none. */
export function keywordRule({ code }: Change, ending: Ending): KeywordRule {
  const name = `${code}-${ending}`
  if (isKeywordRule(name)) return name
  throw new Error(`no rule is called ${name}`)
}

function isKeywordRule(name: string): name is KeywordRule {
  return Object.hasOwn(KEYWORD_RULES, name)
}
