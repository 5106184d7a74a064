// How archives are told from documents.

/** Whether a file's name is that of an archive. */
export function isArchiveName(file: string): boolean {
  return /\.dar$/iu.test(file)
}
