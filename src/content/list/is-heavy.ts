import type { ListPlan } from './plan.ts'

/** Characters of conditions and orders that a usual request has. */
const usual = 500

const languages = ['rawfilter', 'rawsort']

/** Whether a list may keep the database busy for seconds: each match with each station, or many conditions. */
export function isHeavy({ nearby, filters }: Pick<ListPlan, 'nearby' | 'filters'>): boolean {
  const texts = filters.flatMap(({ parameter, text }) =>
    languages.includes(parameter) ? text : [],
  )
  return nearby !== undefined || texts.join('').length > usual
}
