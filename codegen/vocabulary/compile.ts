// Plans as functions that run here: examples of a document are translated by what printed code
// does, without printing it.
import {
  again,
  all,
  list,
  messageText,
  nameText,
  packageKeys,
  packageText,
  payload,
  record,
  same,
  templateText,
} from '../emit/support/translation.ts'
import type { Change, Dictionary, MemberRule } from '../emit/support/translation.ts'
import type { Plan, Planner, RecordPlan } from './plan.ts'

/** The outward change of a plan. */
export function compilePlan(planner: Planner, dictionary: Dictionary): (plan: Plan) => Change {
  const nodes = new Map<string, Change>()
  const compile = (plan: Plan): Change => {
    if (!planner.isLive(plan)) return same
    switch (plan.kind) {
      case 'same':
        return same
      case 'text':
        return TEXTS[plan.of](dictionary)
      case 'payload':
        return payload(dictionary, ...plan.beside)
      case 'mixed':
        return all(...plan.plans.map(compile))
      case 'list':
        return list(compile(plan.rest), plan.first.map(compile))
      case 'record':
        return compileRecord(plan, compile)
      case 'node':
        return again(() => nodeChange(plan.key))
    }
  }
  const nodeChange = (key: string): Change => {
    const known = nodes.get(key)
    if (known !== undefined) return known
    const made = compile(planner.node(key))
    nodes.set(key, made)
    return made
  }
  return compile
}

const TEXTS = {
  'template-id': templateText,
  'interface-id': templateText,
  'package-name': packageText,
  'package-keys': packageKeys,
  name: nameText,
  message: messageText,
} as const

function compileRecord({ members, rest }: RecordPlan, compile: (plan: Plan) => Change): Change {
  const rules = [...members].map(([name, { wire, plan }]): [string, MemberRule] => [
    name,
    [wire, compile(plan)],
  ])
  return record(Object.fromEntries(rules), compile(rest))
}
