// `npm run check`: every script of package.json that is named `check:`, two at a time, the longest
// first. What one says is printed when it ends; all of them run, whichever fails.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

const AT_ONCE = 2
const LONGEST_FIRST = ['check:types', 'check:lint', 'check:wallet', 'check:imports']

process.chdir(import.meta.dirname)
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
const others = Object.keys(scripts).filter((name) => name.startsWith('check:'))
const waiting = [...new Set([...LONGEST_FIRST, ...others])]
await Promise.all(Array.from({ length: AT_ONCE }, work))

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await run(name)
}

function run(name) {
  const start = performance.now()
  return new Promise((resolve) => {
    execFile('npm', ['run', '-s', name], { maxBuffer: Infinity }, (error, output, errors) => {
      const seconds = ((performance.now() - start) / 1_000).toFixed(1)
      process.stdout.write(`${output}${errors}${error ? '✖' : '✔'} ${name} ${seconds} s\n`)
      if (error) process.exitCode = 1
      resolve(undefined)
    })
  })
}
