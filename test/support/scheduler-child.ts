// A process that shares tasks with others through the scheduler `postgres` and keeps what it has;
// says `run <task>` for each run, until it is killed. Arguments: the database's address, then the
// tasks' names.
import plugin from '../../plugins/scheduler-postgres/index.ts'
import { schedulerOptions, TEST_CONTEXT } from './scheduler.ts'

const [url = '', ...names] = process.argv.slice(2)

const scheduler = await plugin.setup(TEST_CONTEXT, schedulerOptions({ url, turnMs: 60_000 }))
await scheduler.start?.()
for (const name of names)
  scheduler.schedule(name, 100, async () => void process.stdout.write(`run ${name}\n`))
