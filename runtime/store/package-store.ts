// Packages in a store: types only; store.ts has the rules that hold for every method.

/** A package as stored. docs/ledger-rules.md, "Packages" */
export interface PackageRecord {
  /** Lower-case hexadecimal SHA-256 of the payload. */
  readonly packageId: string
  readonly name: string
  readonly version: string
  /** Bytes of the payload. */
  readonly size: number
  /** JSON text of what the upgrade check compares. */
  readonly summary: string
  readonly vetted: boolean
}

/** A package to be stored. */
export interface PackageUpload extends Omit<PackageRecord, 'vetted'> {
  /**
   * The whole payload; asked for one package at a time, and never for one that is there already.
   */
  readPayload(): Promise<Uint8Array>
}

/** Packages are never changed or deleted, and once vetted they stay so. */
export interface PackageStore {
  /** The ids in byte order. */
  list(): Promise<readonly string[]>
  /** Records that are there, each once, in the byte order of their ids. */
  get(ids: readonly string[]): Promise<readonly PackageRecord[]>
  /** The packages of these names, in the byte order of their ids. */
  named(names: readonly string[]): Promise<readonly PackageRecord[]>
  /** The payload byte for byte, in pieces of at most 1 MiB, read as they are consumed. */
  payloadStream(id: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /** 0 in a new store, one more whenever a package becomes vetted by an upload. */
  vettingVersion(): Promise<bigint>
  /**
   * Stores those that are not there yet and marks `vet` as vetted, at once: nobody sees a part of
   * it. Nothing changes when an id in `vet` is neither stored nor uploaded ('missing'), or when
   * `vet` is not empty and the vetting version no longer is `expectedVetting` ('stale'); checked in
   * this order. Rejects with a TypeError for a payload that has another size or hash than its
   * record says.
   */
  upload(
    packages: readonly PackageUpload[],
    vet: readonly string[],
    expectedVetting: bigint,
  ): Promise<'stored' | 'stale' | 'missing'>
}
