// The commands of `network`, with their options; what they do is loaded when one of them is called,
// so that help comes at once.
import type { Command } from 'commander'
import { withFlags } from './flags.ts'
import type {
  AddPackagesFlags,
  AllocateFlags,
  CastFlags,
  FeatureFlags,
  ForkFlags,
  ListPackagesFlags,
  NetworkFlags,
  ReasonFlags,
  RequestFlags,
} from './network-flags.ts'

const load = () => import('./network.ts')

const loadPackages = () => import('./network-packages.ts')

const loadDevelopment = () => import('./network-development.ts')

/** Registers them. */
export function addNetwork(program: Command): void {
  const network = program
    .command('network')
    .description('govern, save and restore the network of a running development service')
  addVote(network.command('vote').description('votes of the super validator'))
  talking(network.command('nodes'))
    .description('list the nodes with address and participant')
    .action(async (flags: NetworkFlags) => (await import('./network-nodes.ts')).listNodes(flags))
  addPackages(network.command('packages').description('packages of contracts'))
  addTrying(network)
  addTime(network.command('time').description('the time of the ledger'))
  addFund(network.command('fund').description('the development fund'))
  talking(network.command('feature <party>'))
    .option('--revoke', 'revoke the right')
    .description('make a party a featured application provider')
    .action(async (party: string, flags: FeatureFlags) => (await load()).feature(flags, party))
  talking(network.command('price <usd>'))
    .description('vote for the price of a coin in USD')
    .action(async (usd: string, flags: NetworkFlags) => (await load()).votePrice(flags, usd))
}

function addVote(vote: Command): void {
  talking(vote.command('list'))
    .description('list open votes')
    .action(async (flags: NetworkFlags) => (await load()).listVotes(flags))
  reasoned(talking(vote.command('request <action>')))
    .option('--expires <duration>', 'duration of the vote: 30m, 12h, 7d')
    .description(
      'request a vote on an action, given as JSON: {"tag":"ARC_DsoRules","value":{"dsoAction":...}}',
    )
    .action(async (action: string, flags: RequestFlags) =>
      (await load()).requestVote(flags, action),
    )
  reasoned(talking(vote.command('cast <contract-id>')))
    .option('--reject', 'vote against it')
    .description('vote on a request, or change the vote')
    .action(async (id: string, flags: CastFlags) => (await load()).castVote(flags, id))
  talking(vote.command('close <contract-id>'))
    .description('close a vote that is decided or has expired')
    .action(async (id: string, flags: NetworkFlags) => (await load()).closeVote(flags, id))
}

function addFund(fund: Command): void {
  talking(fund.command('list'))
    .description('list unclaimed and allocated amounts')
    .action(async (flags: NetworkFlags) => (await load()).listFund(flags))
  talking(fund.command('allocate'))
    .description('allocate coin of the fund to a beneficiary')
    .requiredOption('--to <party>', 'the beneficiary')
    .requiredOption('--amount <coin>', 'how much')
    .requiredOption('--reason <text>', 'what for')
    .option('--expires <duration>', 'time to mint it: 30m, 12h, 7d', '7d')
    .action(async (flags: AllocateFlags) => (await load()).allocateFund(flags))
  reasoned(talking(fund.command('withdraw <contract-id>')))
    .description('withdraw an allocation')
    .action(async (id: string, flags: ReasonFlags) => (await load()).withdrawFund(flags, id))
}

function addPackages(packages: Command): void {
  talking(packages.command('add <file...>'))
    .option('--watch', 'upload again whenever a file changes')
    .option('--revert <snapshot>', 'restore this snapshot before each upload')
    .description('upload and vet package archives on all nodes, or on that of --node')
    .action(async (files: string[], flags: AddPackagesFlags) =>
      (await loadPackages()).addPackages(flags, files),
    )
  talking(packages.command('list'))
    .option('--json', 'as JSON, with templates and interfaces')
    .description('list the packages of a node, and what runs of each')
    .action(async (flags: ListPackagesFlags) => (await loadPackages()).listPackages(flags))
}

function addTrying(network: Command): void {
  talking(network.command('tap <usd>'))
    .description('give the user free coin, in USD: network tap 100 --user alice')
    .action(async (usd: string, flags: NetworkFlags) => (await loadDevelopment()).tap(flags, usd))
  talking(network.command('snapshot [name]'))
    .description('save the network and print the name, by default the next number')
    .action(async (name: string | undefined, flags: NetworkFlags) =>
      (await loadDevelopment()).takeSnapshot(flags, name),
    )
  talking(network.command('snapshots'))
    .description('list the snapshots with their ledger times')
    .action(async (flags: NetworkFlags) => (await loadDevelopment()).listSnapshots(flags))
  talking(network.command('revert <snapshot>'))
    .description('restore a snapshot')
    .action(async (name: string, flags: NetworkFlags) =>
      (await loadDevelopment()).revert(flags, name),
    )
  talking(network.command('reset'))
    .description('start from scratch, like a first start')
    .action(async (flags: NetworkFlags) => (await loadDevelopment()).reset(flags))
  talking(network.command('fork'))
    .requiredOption('--from <file>', 'file of a backup')
    .description('replace all data with a backup')
    .action(async (flags: ForkFlags) => (await loadDevelopment()).fork(flags))
}

function addTime(time: Command): void {
  talking(time.command('show'))
    .description('show the time of the ledger')
    .action(async (flags: NetworkFlags) => (await loadDevelopment()).showTime(flags))
  talking(time.command('set <time>'))
    .description('move a simulated clock to a time: 2030-01-31T12:00:00Z')
    .action(async (text: string, flags: NetworkFlags) =>
      (await loadDevelopment()).setTime(flags, text),
    )
  talking(time.command('advance <duration>'))
    .description('move a simulated clock ahead: 30m, 12h, 7d')
    .action(async (duration: string, flags: NetworkFlags) =>
      (await loadDevelopment()).advanceTime(flags, duration),
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
