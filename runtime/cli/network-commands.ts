// The commands of `network`, with their options; what they do is loaded when one of them is called,
// so that help comes at once.
import type { Command } from 'commander'
import { withFlags } from './flags.ts'
import type {
  AllocateFlags,
  CastFlags,
  FeatureFlags,
  NetworkFlags,
  ReasonFlags,
  RequestFlags,
} from './network-flags.ts'

type Interruptible = (work: () => Promise<void>) => Promise<void>

const load = () => import('./network.ts')

/** Registers them. `interruptible` ends a command that the person interrupts. */
export function addNetwork(program: Command, interruptible: Interruptible): void {
  const network = program
    .command('network')
    .description('govern the network of a running development service')
  addVote(network.command('vote').description('votes of the super validator'), interruptible)
  addFund(network.command('fund').description('the development fund'), interruptible)
  talking(network.command('feature <party>'))
    .option('--revoke', 'take the right back')
    .description('make a party a featured application provider')
    .action((party: string, flags: FeatureFlags) =>
      interruptible(async () => (await load()).feature(flags, party)),
    )
  talking(network.command('price <usd>'))
    .description('vote for what a coin costs in USD')
    .action((usd: string, flags: NetworkFlags) =>
      interruptible(async () => (await load()).votePrice(flags, usd)),
    )
}

function addVote(vote: Command, interruptible: Interruptible): void {
  talking(vote.command('list'))
    .description('list the votes that are open')
    .action((flags: NetworkFlags) => interruptible(async () => (await load()).listVotes(flags)))
  reasoned(talking(vote.command('request <action>')))
    .option('--expires <duration>', 'how long votes are taken: 30m, 12h, 7d')
    .description(
      'request a vote on an action, given as JSON: {"tag":"ARC_DsoRules","value":{"dsoAction":...}}',
    )
    .action((action: string, flags: RequestFlags) =>
      interruptible(async () => (await load()).requestVote(flags, action)),
    )
  reasoned(talking(vote.command('cast <contract-id>')))
    .option('--reject', 'vote against it')
    .description('vote on a request, or change the vote')
    .action((id: string, flags: CastFlags) =>
      interruptible(async () => (await load()).castVote(flags, id)),
    )
  talking(vote.command('close <contract-id>'))
    .description('end a vote that is decided or over')
    .action((id: string, flags: NetworkFlags) =>
      interruptible(async () => (await load()).closeVote(flags, id)),
    )
}

function addFund(fund: Command, interruptible: Interruptible): void {
  talking(fund.command('list'))
    .description('list what is unclaimed and what is allocated')
    .action((flags: NetworkFlags) => interruptible(async () => (await load()).listFund(flags)))
  talking(fund.command('allocate'))
    .description('allocate coin of the fund to a beneficiary')
    .requiredOption('--to <party>', 'the beneficiary')
    .requiredOption('--amount <coin>', 'how much')
    .requiredOption('--reason <text>', 'what for')
    .option('--expires <duration>', 'how long it can be minted: 30m, 12h, 7d', '7d')
    .action((flags: AllocateFlags) => interruptible(async () => (await load()).allocateFund(flags)))
  reasoned(talking(fund.command('withdraw <contract-id>')))
    .description('take an allocation back')
    .action((id: string, flags: ReasonFlags) =>
      interruptible(async () => (await load()).withdrawFund(flags, id)),
    )
}

function talking(command: Command): Command {
  return withFlags(command, false)
    .option('--url <address>', 'address of the service (default: that of the configuration)')
    .option('--user <name>', 'the user who acts', 'operator')
}

function reasoned(command: Command): Command {
  return command.option('--reason <text>', 'why', '')
}
