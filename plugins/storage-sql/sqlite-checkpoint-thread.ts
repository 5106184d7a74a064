// The thread of `sqlite-checkpoints.ts`: copies the log into the file on a connection of its own,
// which neither waits for the writer nor makes it wait.
import { parentPort, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import SqliteDatabase from 'better-sqlite3'
import type { Asked } from './sqlite-checkpoints.ts'

if (parentPort !== null) copyWhenAsked(parentPort, String(workerData))

function copyWhenAsked(server: MessagePort, file: string): void {
  const connection = new SqliteDatabase(file, { fileMustExist: true, timeout: 0 })
  connection.pragma('synchronous = FULL')
  server.on('message', (asked: Asked) => {
    if (asked === 'copy') connection.pragma('wal_checkpoint(PASSIVE)')
    else {
      connection.close()
      server.close()
    }
  })
}
