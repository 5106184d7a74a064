// What contracts of the network have in common.

/** A contract of a network names its party. */
interface OfNetwork {
  readonly dso: string
}

/** The network's party, as all who sign a contract or control a choice. */
export const byNetwork = ({ dso }: OfNetwork): readonly string[] => [dso]

/** Rules of contracts that the network signs, alone unless their templates say otherwise. */
export const ofNetwork = { signatories: byNetwork, issuer: ({ dso }: OfNetwork): string => dso }
