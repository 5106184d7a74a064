// Two members of JSON that Node 24 has and TypeScript's library does not describe yet: source text
// for revivers (exact large integers in) and raw JSON (exact large integers out).
declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (
        this: unknown,
        key: string,
        value: unknown,
        context: { readonly source?: string },
      ) => unknown,
    ): unknown
    rawJSON(text: string): object
  }
}

export {}
