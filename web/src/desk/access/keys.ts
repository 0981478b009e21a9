import { formatDateTime } from '../../language/index.ts'
import { stated } from './task.ts'
import type { Entry, Task } from './task.ts'
import { words } from './words.ts'

export type Key = {
  readonly kid: string
  readonly state: 'signs' | 'verifies' | 'expired'
  readonly created: string
  readonly retired: string | null
}

export function addKeyTask(): Task {
  const { actions, confirm, fields } = words()
  return {
    ...{ label: actions.addKey, title: actions.addKey, action: actions.add, lead: confirm.addKey },
    fields: [{ name: 'distrust', label: fields.distrust }],
    values: { distrust: false },
    toRequest: ({ distrust }) => ({ method: 'POST', path: '/access/keys', body: { distrust } }),
  }
}

export function toKeyEntry({ kid, state, created, retired }: Key): Entry {
  const { fields, keyStates } = words()
  return {
    ...{ key: kid, title: kid, tags: [keyStates[state]], states: [], tasks: [] },
    details: stated([
      [fields.created, formatDateTime(new Date(created))],
      [fields.retired, retired === null ? null : formatDateTime(new Date(retired))],
    ]),
  }
}
