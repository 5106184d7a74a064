// The commands of `network`, with their options; what they do is loaded when one of them is called,
// so that help comes at once.
import type { Command } from 'commander'
import { withFlags } from './flags.ts'
import type {
  AllocateFlags,
  CastFlags,
  FeatureFlags,
  ForkFlags,
  NetworkFlags,
  ReasonFlags,
  RequestFlags,
} from './network-flags.ts'

type Interruptible = (work: () => Promise<void>) => Promise<void>

const load = () => import('./network.ts')

const loadDevelopment = () => import('./network-development.ts')

/** Registers them. `interruptible` ends a command that the person interrupts. */
export function addNetwork(program: Command, interruptible: Interruptible): void {
  const network = program
    .command('network')
    .description('govern, save and restore the network of a running development service')
  addVote(network.command('vote').description('votes of the super validator'), interruptible)
  talking(network.command('nodes'))
    .description('list the nodes with address and participant')
    .action((flags: NetworkFlags) =>
      interruptible(async () => (await import('./network-nodes.ts')).listNodes(flags)),
    )
  addTrying(network, interruptible)
  addTime(network.command('time').description('the time of the ledger'), interruptible)
  addFund(network.command('fund').description('the development fund'), interruptible)
  talking(network.command('feature <party>'))
    .option('--revoke', 'revoke the right')
    .description('make a party a featured application provider')
    .action((party: string, flags: FeatureFlags) =>
      interruptible(async () => (await load()).feature(flags, party)),
    )
  talking(network.command('price <usd>'))
    .description('vote for the price of a coin in USD')
    .action((usd: string, flags: NetworkFlags) =>
      interruptible(async () => (await load()).votePrice(flags, usd)),
    )
}

function addVote(vote: Command, interruptible: Interruptible): void {
  talking(vote.command('list'))
    .description('list open votes')
    .action((flags: NetworkFlags) => interruptible(async () => (await load()).listVotes(flags)))
  reasoned(talking(vote.command('request <action>')))
    .option('--expires <duration>', 'duration of the vote: 30m, 12h, 7d')
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
    .description('close a vote that is decided or has expired')
    .action((id: string, flags: NetworkFlags) =>
      interruptible(async () => (await load()).closeVote(flags, id)),
    )
}

function addFund(fund: Command, interruptible: Interruptible): void {
  talking(fund.command('list'))
    .description('list unclaimed and allocated amounts')
    .action((flags: NetworkFlags) => interruptible(async () => (await load()).listFund(flags)))
  talking(fund.command('allocate'))
    .description('allocate coin of the fund to a beneficiary')
    .requiredOption('--to <party>', 'the beneficiary')
    .requiredOption('--amount <coin>', 'how much')
    .requiredOption('--reason <text>', 'what for')
    .option('--expires <duration>', 'time to mint it: 30m, 12h, 7d', '7d')
    .action((flags: AllocateFlags) => interruptible(async () => (await load()).allocateFund(flags)))
  reasoned(talking(fund.command('withdraw <contract-id>')))
    .description('withdraw an allocation')
    .action((id: string, flags: ReasonFlags) =>
      interruptible(async () => (await load()).withdrawFund(flags, id)),
    )
}

function addTrying(network: Command, interruptible: Interruptible): void {
  talking(network.command('tap <usd>'))
    .description('give the user free coin, in USD: network tap 100 --user alice')
    .action((usd: string, flags: NetworkFlags) =>
      interruptible(async () => (await loadDevelopment()).tap(flags, usd)),
    )
  talking(network.command('snapshot [name]'))
    .description('save the network and print the name, by default the next number')
    .action((name: string | undefined, flags: NetworkFlags) =>
      interruptible(async () => (await loadDevelopment()).takeSnapshot(flags, name)),
    )
  talking(network.command('snapshots'))
    .description('list the snapshots with their ledger times')
    .action((flags: NetworkFlags) =>
      interruptible(async () => (await loadDevelopment()).listSnapshots(flags)),
    )
  talking(network.command('revert <snapshot>'))
    .description('restore a snapshot')
    .action((name: string, flags: NetworkFlags) =>
      interruptible(async () => (await loadDevelopment()).revert(flags, name)),
    )
  talking(network.command('reset'))
    .description('start from scratch, like a first start')
    .action((flags: NetworkFlags) =>
      interruptible(async () => (await loadDevelopment()).reset(flags)),
    )
  talking(network.command('fork'))
    .requiredOption('--from <file>', 'file of a backup')
    .description('replace all data with a backup')
    .action((flags: ForkFlags) => interruptible(async () => (await loadDevelopment()).fork(flags)))
}

function addTime(time: Command, interruptible: Interruptible): void {
  talking(time.command('show'))
    .description('show the time of the ledger')
    .action((flags: NetworkFlags) =>
      interruptible(async () => (await loadDevelopment()).showTime(flags)),
    )
  talking(time.command('set <time>'))
    .description('move a simulated clock to a time: 2030-01-31T12:00:00Z')
    .action((text: string, flags: NetworkFlags) =>
      interruptible(async () => (await loadDevelopment()).setTime(flags, text)),
    )
  talking(time.command('advance <duration>'))
    .description('move a simulated clock ahead: 30m, 12h, 7d')
    .action((duration: string, flags: NetworkFlags) =>
      interruptible(async () => (await loadDevelopment()).advanceTime(flags, duration)),
    )
}

function talking(command: Command): Command {
  return withFlags(command, false)
    .option('--node <name>', 'one of several nodes (default: the first)')
    .option('--url <address>', 'address of the service (default: from the configuration)')
    .option('--user <name>', "the user who acts (default: the node's operator)")
}

function reasoned(command: Command): Command {
  return command.option('--reason <text>', 'why', '')
}
