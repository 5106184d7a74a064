// Packages that are in code: an upload under one of their names never runs in their place, and what
// uploaded packages say of their interfaces is meant of ours.
// docs/decisions/0056-packages-that-run.md

export interface InCode {
  /** Names of the packages. */
  readonly names: ReadonlySet<string>
  /** Ids of their templates and interfaces by `<package name>:<Module>:<Entity>`. */
  readonly ids: ReadonlyMap<string, string>
}

/** The id of an interface or template: that in code, where its package is. */
export function meantId({ ids }: InCode, packageName: string, id: string): string {
  return ids.get(`${packageName}${id.slice(id.indexOf(':'))}`) ?? id
}
