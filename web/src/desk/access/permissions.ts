import type { pushOperations, ruleOperations } from '../../../../src/admin/permission-routes.ts'
import type { AnswerOf } from '../../../../src/lang/schemas.ts'
import { itemsOf, itemsOrNull, stated } from './task.ts'
import type { Entry, Task, Values } from './task.ts'
import { words } from './words.ts'

export type Rule = AnswerOf<typeof ruleOperations.list>['rules'][number]

export type Permission = AnswerOf<typeof pushOperations.list>['permissions'][number]

const [rules, push] = ['/access/rules', '/access/push']

/** A list where there is one; what is left out of a rule matches everything. */
function toRule(values: Values) {
  const lists = ['origin', 'type', 'dataType', 'period'] as const
  const given = lists.flatMap((name) => {
    const items = itemsOf(values[name])
    return items.length === 0 ? [] : [[name, items] as const]
  })
  const area = values['area'] === '' ? {} : { area: values['area'] }
  return { role: String(values['role']).trim(), ...area, ...Object.fromEntries(given) }
}

export function addRuleTask(): Task {
  const { actions, any, areas, fields, hints } = words()
  const listed = (['origin', 'type', 'dataType', 'period'] as const).map((name) => ({
    ...{ name, label: fields[name], hint: hints.any },
  }))
  const options = [
    { value: '', label: any },
    ...(['content', 'timeseries', 'event'] as const).map((value) => ({
      value,
      label: areas[value],
    })),
  ]
  return {
    ...{ label: actions.addRule, title: actions.addRule, action: actions.add },
    fields: [
      { name: 'role', label: fields.role, hint: hints.role },
      { name: 'area', label: fields.area, options },
      ...listed,
    ],
    values: { role: '', area: '', origin: '', type: '', dataType: '', period: '' },
    toRequest: (values) => ({ method: 'POST', path: rules, body: { rules: [toRule(values)] } }),
  }
}

export function toRuleEntry({ id, role, area, origin, type, dataType, period }: Rule): Entry {
  const { actions, any, confirm, fields, of } = words()
  const details = stated([
    [fields.area, area],
    [fields.origin, origin],
    [fields.type, type],
    [fields.dataType, dataType],
    [fields.period, period === null ? null : String(period)],
  ])
  return {
    ...{ key: id, title: role, tags: [], states: [] },
    details: details.length === 0 ? [[fields.area, any]] : details,
    tasks: [
      {
        ...{ label: actions.remove, title: of(actions.remove, role), action: actions.remove },
        ...{ lead: confirm.removeRule(role), fields: [], values: {} },
        toRequest: () => ({ method: 'DELETE', path: `${rules}/${id}` }),
      },
    ],
  }
}

const lists = ['kinds', 'entities', 'stationTypes', 'origins', 'sources'] as const
const flags = ['mayDelete', 'mayComplete', 'mayPublishClosed'] as const

const scopeFields = () => {
  const { fields, hints } = words()
  const hintOf = (name: string) =>
    name === 'origins' || name === 'sources' ? hints.own : hints.any
  return [
    ...lists.map((name) => ({ name, label: fields[name], hint: hintOf(name) })),
    ...flags.map((name) => ({ name, label: fields[name] })),
  ]
}

const toScope = (values: Values) => ({
  ...Object.fromEntries(lists.map((name) => [name, itemsOrNull(values[name])])),
  ...Object.fromEntries(flags.map((name) => [name, values[name]])),
})

export function addPermissionTask(): Task {
  const { actions, fields, hints } = words()
  return {
    ...{ label: actions.addPush, title: actions.addPush, action: actions.add },
    fields: [
      { name: 'client', label: fields.client, hint: hints.holder },
      { name: 'path', label: fields.path, hint: hints.path },
      ...scopeFields(),
    ],
    values: {
      ...{ client: '', path: '' },
      ...Object.fromEntries(lists.map((name) => [name, ''])),
      ...Object.fromEntries(flags.map((name) => [name, false])),
    },
    toRequest: (values) => {
      const body = { client: values['client'], path: values['path'], ...toScope(values) }
      return { method: 'PUT', path: push, body }
    },
  }
}

export function toPermissionEntry(permission: Permission): Entry {
  const { actions, confirm, fields, of } = words()
  const { client, path } = permission
  const name = `${client} ${path}`
  return {
    ...{ key: name, title: client, tags: [path] },
    states: flags.filter((flag) => permission[flag]).map((flag) => fields[flag]),
    details: stated(lists.map((list) => [fields[list], permission[list]] as const)),
    tasks: [
      {
        ...{ label: actions.change, title: of(actions.change, name), action: actions.save },
        fields: scopeFields(),
        values: {
          ...Object.fromEntries(lists.map((list) => [list, (permission[list] ?? []).join(', ')])),
          ...Object.fromEntries(flags.map((flag) => [flag, permission[flag]])),
        },
        toRequest: (values) => ({
          method: 'PUT',
          path: push,
          body: { client, path, ...toScope(values) },
        }),
      },
      {
        ...{ label: actions.remove, title: of(actions.remove, name), action: actions.remove },
        ...{ lead: confirm.removePush(client), fields: [], values: {} },
        toRequest: () => ({ method: 'DELETE', path: push, query: { client, path } }),
      },
    ],
  }
}
