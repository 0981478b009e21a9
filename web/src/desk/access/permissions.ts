import type { pushOperations, ruleOperations } from '../../../../src/admin/permission-routes.ts'
import type { AnswerOf } from '../../../../src/lang/schemas.ts'
import { formatDateTime } from '../../language/index.ts'
import { adding, changing, detailsOf, field } from './task.ts'
import type { Entry, Task } from './task.ts'
import { words } from './words.ts'

export type Rule = AnswerOf<typeof ruleOperations.list>['rules'][number]

export type Permission = AnswerOf<typeof pushOperations.list>['permissions'][number]

const [rules, push, keys] = ['/access/rules', '/access/push', '/access/keys']

export function addRuleTask(): Task {
  const { actions, any, areas, hints } = words()
  const area = {
    ...field('area', 'textIfAny'),
    options: [
      { value: '', label: any },
      ...Object.entries(areas).map(([value, label]) => ({ value, label })),
    ],
  }
  // A field that is left out of a rule matches everything.
  const listed = (['origin', 'type', 'dataType', 'period'] as const).map((name) =>
    field(name, 'listIfAny', hints.any),
  )
  return adding(actions.addRule, {
    fields: [field('role', 'text', hints.role), area, ...listed],
    toRequest: (rule) => ({ method: 'POST', path: rules, body: { rules: [rule] } }),
  })
}

export function toRuleEntry({ id, role, ...rule }: Rule): Entry {
  const { actions, any, confirm, fields } = words()
  const period = rule.period === null ? null : String(rule.period)
  const names = ['area', 'origin', 'type', 'dataType', 'period'] as const
  const details = detailsOf({ ...rule, period }, names)
  return {
    ...{ key: id, title: role, tags: [], states: [] },
    details: details.length === 0 ? [[fields.area, any]] : details,
    tasks: [
      changing(actions.remove, role, {
        lead: confirm.removeRule(role),
        toRequest: () => ({ method: 'DELETE', path: `${rules}/${id}` }),
      }),
    ],
  }
}

const lists = ['kinds', 'entities', 'stationTypes', 'origins', 'sources'] as const
const flags = ['mayDelete', 'mayComplete', 'mayPublishClosed'] as const

const scopeFields = () => {
  const { any, own } = words().hints
  return [
    ...lists.map((name) =>
      field(name, 'listOrNull', name === 'origins' || name === 'sources' ? own : any),
    ),
    ...flags.map((name) => field(name, 'flag')),
  ]
}

export function addPermissionTask(): Task {
  const { actions, hints } = words()
  return adding(actions.addPush, {
    fields: [
      ...[field('client', 'text', hints.holder), field('path', 'text', hints.path)],
      ...scopeFields(),
    ],
    toRequest: (body) => ({ method: 'PUT', path: push, body }),
  })
}

export function toPermissionEntry(permission: Permission): Entry {
  const { actions, confirm, fields } = words()
  const { client, path } = permission
  const name = `${client} ${path}`
  return {
    ...{ key: name, title: client, tags: [path] },
    states: flags.filter((flag) => permission[flag]).map((flag) => fields[flag]),
    details: detailsOf(permission, lists),
    tasks: [
      changing(actions.change, name, {
        ...{ action: actions.save, record: permission, fields: scopeFields() },
        toRequest: (scope) => ({ method: 'PUT', path: push, body: { client, path, ...scope } }),
      }),
      changing(actions.remove, name, {
        lead: confirm.removePush(client),
        toRequest: () => ({ method: 'DELETE', path: push, query: { client, path } }),
      }),
    ],
  }
}

export type Key = {
  readonly kid: string
  readonly state: 'signs' | 'verifies' | 'expired'
  readonly created: string
  readonly retired: string | null
}

export function addKeyTask(): Task {
  const { actions, confirm } = words()
  return adding(actions.addKey, {
    ...{ lead: confirm.addKey, fields: [field('distrust', 'flag')] },
    toRequest: (body) => ({ method: 'POST', path: keys, body }),
  })
}

export function toKeyEntry({ kid, state, created, retired }: Key): Entry {
  const written = (time: string | null) => time && formatDateTime(new Date(time))
  return {
    ...{ key: kid, title: kid, tags: [words().keyStates[state]], states: [], tasks: [] },
    details: detailsOf({ created: written(created), retired: written(retired) }, [
      ...(['created', 'retired'] as const),
    ]),
  }
}
