// The start of a node: R8. docs/authority.md
import { fits, operatorOf } from './rules.ts'
import { actAs } from './state.ts'
import type { Right, World } from './state.ts'

/** Not where the operator's rights do not fit. */
export function mayStart(world: World): boolean {
  const user = operatorOf(world)
  return user !== undefined && fits(world, user, rightsOf(world))
}

/** "The configured operator holds ParticipantAdmin and CanActAs on the validator's party." */
export function restarted(world: World): void {
  const user = operatorOf(world)
  if (user === undefined) return
  for (const right of rightsOf(world)) user.rights.add(right)
  user.primaryParty = world.setting.operatorParty
}

function rightsOf({ setting }: World): readonly Right[] {
  return ['ParticipantAdmin', actAs(setting.operatorParty)]
}
