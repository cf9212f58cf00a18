import type { Live } from '../login.ts'
import { retrieve } from '../read/retrieve.ts'
import { isMoRef, listOf, Malformed, textOf } from '../vim/shape.ts'
import type { RecentTask } from './model.ts'
import { propertyOf } from './property.ts'

const paths = ['info.descriptionId', 'info.state', 'info.entityName']

/** The tasks that run, and those that ended within the last ten minutes. */
export async function readRecentTasks(live: Live, signal: AbortSignal): Promise<readonly RecentTask[]> {
  const { taskManager } = live.vim.content
  if (taskManager === undefined) throw new Malformed('a service content without a task manager')
  const refs = listOf(await propertyOf(live, taskManager, 'recentTask', signal)).filter(isMoRef)
  if (refs.length === 0) return []
  const tasks = new Map<string, RecentTask>()
  await retrieve(live, { refs }, new Map([['Task', paths]]), refs.length, signal, (page) => {
    for (const { obj, values } of page) {
      const entityName = values.get('info.entityName')
      tasks.set(obj.value, {
        id: obj.value,
        description: textOf(values.get('info.descriptionId') ?? '', 'a task description'),
        state: textOf(values.get('info.state') ?? 'unknown', 'a task state'),
        entityName: typeof entityName === 'string' ? entityName : undefined,
      })
    }
  })
  return [...tasks.values()]
}
