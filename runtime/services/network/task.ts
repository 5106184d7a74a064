// Background work of the services themselves.
import type { BackgroundTask } from '../../host/tasks.ts'

export type ServiceTask = BackgroundTask
