// The model's word on an operation, before it is done. docs/authority.md
import {
  judgeAllocate,
  judgeCreateProvider,
  judgeDeleteProvider,
  judgePatchParty,
  judgePatchProvider,
} from './judge-parties.ts'
import {
  judgeAcceptSetup,
  judgeHost,
  judgeOrder,
  judgeProposeSetup,
  judgeRead,
  judgeSign,
  judgeStranger,
  judgeSubmit,
  judgeTask,
  judgeWallet,
} from './judge-payments.ts'
import {
  judgeCreateUser,
  judgeDeleteUser,
  judgeGrant,
  judgeMove,
  judgePatchUser,
  judgeReadRights,
  judgeReadUser,
  judgeRevoke,
} from './judge-users.ts'
import { judgeOffboard, judgeOnboard, judgeRegister, judgeStatus } from './judge-wallets.ts'
import type { Op } from './ops.ts'
import { callerOf } from './rules.ts'
import type { User, World } from './state.ts'
import type { Verdict } from './verdict.ts'

/** The effect of the verdict changes the world. */
export function judge(world: World, op: Op): Verdict {
  const caller = callerOf(world, op.by)
  if (op.op === 'register') return judgeRegister(world, caller)
  if (op.op === 'user-status') return judgeStatus(caller)
  return caller.kind === 'user' ? judgeUser(world, caller.user, op) : judgeStranger(caller, op)
}

function judgeUser(
  world: World,
  caller: User,
  op: Exclude<Op, { readonly op: 'register' | 'user-status' }>,
): Verdict {
  switch (op.op) {
    case 'create-user':
      return judgeCreateUser(world, caller, op)
    case 'patch-user':
      return judgePatchUser(world, caller, op)
    case 'delete-user':
      return judgeDeleteUser(world, caller, op)
    case 'grant':
      return judgeGrant(world, caller, op)
    case 'revoke':
      return judgeRevoke(world, caller, op)
    case 'move-user':
      return judgeMove(world, caller, op)
    case 'read-user':
      return judgeReadUser(world, caller, op)
    case 'read-rights':
      return judgeReadRights(world, caller, op)
    case 'allocate':
    case 'allocate-external':
      return judgeAllocate(world, caller, op)
    case 'patch-party':
      return judgePatchParty(world, caller, op)
    case 'create-provider':
      return judgeCreateProvider(world, caller, op)
    case 'patch-provider':
      return judgePatchProvider(world, caller, op)
    case 'delete-provider':
      return judgeDeleteProvider(world, caller, op)
    case 'onboard':
      return judgeOnboard(world, caller, op)
    case 'offboard':
      return judgeOffboard(world, caller, op)
    case 'host':
      return judgeHost(world, caller, op)
    case 'propose-setup':
      return judgeProposeSetup(world, caller, op)
    case 'accept-setup':
      return judgeAcceptSetup(world, caller, op)
    case 'order':
      return judgeOrder(world, caller, op)
    case 'run-task':
      return judgeTask(world, caller)
    case 'submit':
      return judgeSubmit(world, caller, op)
    case 'sign':
      return judgeSign(world, caller, op)
    case 'read':
      return judgeRead(world, caller, op)
    default:
      return judgeWallet(world, caller, op)
  }
}
