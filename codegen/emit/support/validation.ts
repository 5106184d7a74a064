// Helpers of the printed validators, copied beside the generated interfaces as validation.gen.ts. Imports nothing.

export type IssuePlace = 'path' | 'query' | 'header' | 'cookie' | 'body'

/** One violation of the document; `pointer` grows while the finding travels up to the root. */
export interface Issue {
  in: IssuePlace
  pointer: string
  readonly keyword: string
  readonly message: string
  error?: unknown
  readonly value?: unknown
}

/** Says of the issues from index `from` on that they stood in the parameter `name`. */
export function placeIssues(issues: Issue[], from: number, place: IssuePlace, name: string): void {
  for (const issue of issues.slice(from)) {
    issue.in = place
    issue.pointer = name
  }
}
