// What each automation does, in a sentence for the operator. docs/automations.md has the whole of it.

const SENTENCES: Readonly<Record<string, string>> = {
  rounds: 'Moves the mining rounds on as their times come.',
  liveness: 'Says once a round that this validator is alive, which earns a share of what the round issues.',
  rewards: 'Mints what the parties of this node earned into coins.',
  minting: 'Mints rewards of external parties for which a party here has a minting delegation.',
  traffic: 'Makes traffic that was bought count, for all members of the network.',
  topup: 'Buys traffic for this node before it runs out, if a target is configured.',
  completion: 'Pays accepted offers and requests for traffic out of the payer’s wallet.',
  'auto-accept': 'Accepts offers for the receivers and senders that the configuration names.',
  sweeps: 'Moves what a wallet has above its configured maximum to another party.',
  preapprovals: 'Accepts proposals of preapprovals and renews those that this validator provides.',
  'transfer-commands': 'Carries out the transfers that external parties have ordered.',
  merging: 'Makes one coin of many small ones, for whoever has delegated that.',
  expiry: 'Ends what has run out: offers, instructions, delegations, names, votes and dust.',
  snapshots: 'Takes the snapshots of active contracts that the network’s history offers.',
  'command-ids': 'Forgets ids of commands that may be used again, so that the store does not grow for ever.',
  prune: 'Forgets old updates, so that the store does not grow for ever.',
}

/** A sentence; of automations that others have written only the name is known. */
export function automationSentence(name: string): string {
  return SENTENCES[name] ?? 'An automation that this server’s configuration has added.'
}
