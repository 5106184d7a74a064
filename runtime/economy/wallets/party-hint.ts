// The name of a party, made from that of a user.
import { hash } from 'node:crypto'

const MAX_LENGTH = 100
const DIGEST_LENGTH = 8
const PROVIDERS_DIGEST_LENGTH = 16

/**
 * The name as it is where a party id may hold it; else sanitised, with a part of its hash, so that
 * no two names have one hint. That of a user of a configured provider always has it: what people
 * type pays users of the default provider alone. docs/authority.md
 */
export function partyHint(name: string, identityProviderId: string): string {
  if (identityProviderId !== '') {
    const user = JSON.stringify([identityProviderId, name])
    return marked(name, hash('sha256', user).slice(0, PROVIDERS_DIGEST_LENGTH))
  }
  return name.length <= MAX_LENGTH && /^[A-Za-z0-9_-]+$/.test(name) && !name.includes('__')
    ? name
    : marked(name, hash('sha256', name).slice(0, DIGEST_LENGTH))
}

function marked(name: string, digest: string): string {
  return `${name.slice(0, MAX_LENGTH).replaceAll(/[^A-Za-z0-9-]/g, '-')}__${digest}`
}
