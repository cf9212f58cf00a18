import type { Live } from '../login.ts'
import { faultOf } from '../read/decode.ts'
import { type ObjectContent, retrieve } from '../read/retrieve.ts'
import { VimFault } from '../vim/faults.ts'
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
    for (const content of page) {
      const task = taskOf(content)
      if (task !== undefined) tasks.set(task.id, task)
    }
  })
  return [...tasks.values()]
}

/** Undefined for one that was forgotten meanwhile, which is no loss; one that is hidden is an error. */
function taskOf(content: ObjectContent): RecentTask | undefined {
  const { obj, values } = content
  const fault = paths.map((path) => faultOf(content, path)).find((found) => found !== undefined)
  if (fault?.type === 'ManagedObjectNotFound') return undefined
  if (fault !== undefined) throw new VimFault(`what task ${obj.value} is`, fault.type, '', fault.fields)
  const entityName = values.get('info.entityName')
  return {
    id: obj.value,
    description: textOf(values.get('info.descriptionId') ?? '', 'a task description'),
    state: textOf(values.get('info.state'), 'a task state'),
    entityName: typeof entityName === 'string' ? entityName : undefined,
  }
}
