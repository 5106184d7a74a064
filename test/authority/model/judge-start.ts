// The start of a node: R8. docs/authority.md
import { fits } from './rules.ts'
import { actAs } from './state.ts'
import type { World } from './state.ts'

/**
 * "The configured operator holds ParticipantAdmin and CanActAs on the validator's party." False
 * where they do not fit: no start then.
 */
export function restarted(world: World): boolean {
  const { operator, operatorParty } = world.setting
  const user = world.users.get(operator)
  const rights = ['ParticipantAdmin', actAs(operatorParty)]
  if (user === undefined || !fits(world, user, rights)) return false
  for (const right of rights) user.rights.add(right)
  user.primaryParty = operatorParty
  return true
}
