/** Which of the three services something is of: its colour on maps. */
export type Tone = 'content' | 'timeseries' | 'traffic'
