import { Type } from 'typebox'
import type { TStringOptions } from 'typebox'
import { quantity } from './quantity.ts'

/** Settings of how data is retained, followed and exported. Part of `settings.ts`. */

/** An optional text. */
export const optionalText = (options: TStringOptions) => Type.Optional(Type.String(options))

/** Settings of the time range of measurements, and their retention. */
export const measurementSettings = {
  HUB_MEASUREMENT_YEARS_BACK: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 200,
    description:
      'Number of past years in which each month has its own table. Older values share one table. Must be the same on all nodes.',
  }),
  HUB_MEASUREMENT_YEARS_AHEAD: Type.Integer({
    default: 2,
    minimum: 1,
    maximum: 100,
    description:
      'Number of future years in which each month has its own table. Later values share one table. Must be the same on all nodes.',
  }),
  HUB_LATEST_AHEAD: quantity('s', {
    default: 31_622_400,
    minimum: 0,
    maximum: 3_153_600_000,
    description:
      'How far in the future a value can lie and still be the latest of its series; choose more than the longest forecast. Later values appear only in the history.',
  }),
  HUB_MEASUREMENT_KEEP_MONTHS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 1200,
    description:
      'Number of whole months of measurements to keep besides the current one; older values are rejected. 0: keep forever. Must be the same on all nodes.',
  }),
  HUB_MEASUREMENT_RETIREMENT: Type.Enum(['detach', 'move', 'drop', 'parquet'], {
    default: 'detach',
    description:
      'What to do with older months: `detach` leaves their tables in place, `move` moves them to the schema measurement_archive, `drop` deletes them, `parquet` moves their values to files in `HUB_COLD_PLACE`, where they can still be read.',
  }),
  HUB_COLD_PLACE: optionalText({
    minLength: 1,
    description:
      'Folder of the files of cold months, or a bucket of an S3-compatible store such as `https://s3.example.org/bucket` (with `HUB_EXPORT_S3_KEY_ID`, `HUB_EXPORT_S3_SECRET` and `HUB_EXPORT_S3_REGION`; the hub uses `hub-cold/` in it). Must be the same place on all nodes. Default: `cold` in `HUB_DATA_DIR` for the embedded database; none with `DATABASE_URL`, so there are no cold months.',
  }),
}

/** Settings of the change feed. */
export const changeSettings = {
  HUB_CHANGE_KEEP_DAYS: quantity('d', {
    default: 30,
    minimum: 0,
    maximum: 36_500,
    description:
      'How far back change feeds can be read. A reader that was away for longer must start again. 0: without limit.',
  }),
  HUB_CHANGE_READERS: Type.Integer({
    default: 2000,
    minimum: 4,
    maximum: 100_000,
    description:
      'How many readers can wait for changes at once (`live`), on each node. One caller can have a quarter of them.',
  }),
}

/** Settings of the exports of the change feeds. */
export const exportSettings = {
  HUB_EXPORT_DIR: optionalText({
    minLength: 1,
    description:
      'Folder of the exports at `/exports` (docs/exports.md); several nodes need a shared one. Default: `exports` in `HUB_DATA_DIR` for the embedded database; none with `DATABASE_URL`, so there are no exports.',
  }),
  HUB_EXPORT_S3: optionalText({
    pattern: '^https?://[^\\s/@]+/[^\\s/?#]+$',
    url: true,
    description:
      'Bucket of an S3-compatible store for the exports instead of a folder, such as `https://s3.example.org/bucket`; the hub uses `hub-exports/` in it. Requires `HUB_EXPORT_S3_KEY_ID` and `HUB_EXPORT_S3_SECRET`.',
  }),
  HUB_EXPORT_S3_REGION: Type.String({
    default: 'auto',
    minLength: 1,
    description: 'Region of that store, such as `eu-central-1`.',
  }),
  HUB_EXPORT_S3_KEY_ID: optionalText({
    minLength: 1,
    description: 'Access key ID for that store.',
  }),
  HUB_EXPORT_S3_SECRET: optionalText({
    minLength: 1,
    secret: true,
    description: 'Secret access key for that store.',
  }),
  HUB_EXPORT_EVERY: quantity('h', {
    default: 24,
    minimum: 0,
    maximum: 8760,
    description:
      'Age at which an export is renewed; less than `HUB_CHANGE_KEEP_DAYS`. 0: only `hub export --publish` makes exports.',
  }),
}

/** Settings of a copy of another hub, made by `hub mirror`. */
export const mirrorSettings = {
  HUB_MIRROR_TOKEN: optionalText({
    minLength: 1,
    secret: true,
    description:
      'Access token with which `hub mirror` reads the other hub (docs/mirror.md). Without it the copy contains what callers without a token see.',
  }),
}

/** Settings of alerts and their receivers. */
export const alertSettings = {
  HUB_ALERTS: optionalText({
    minLength: 1,
    description:
      'File of the alert rules and their receivers (docs/alerts.md). Must be the same on all nodes. Default: none.',
  }),
  HUB_SMTP_URL: optionalText({
    pattern: '^smtps?://\\S+$',
    url: true,
    secret: true,
    description:
      'Server for the e-mails of alerts, such as `smtps://user:password@mail.example.org:465`. `smtp:` uses STARTTLS if the server offers it.',
  }),
  HUB_SMTP_FROM: optionalText({
    pattern: '^([^<>@]*[^<>@\\s] <[^<>@\\s]+@[^<>@\\s]+>|[^<>@\\s]+@[^<>@\\s]+)$',
    maxLength: 300,
    description: 'Sender of these e-mails, such as `Hub <hub@example.org>`.',
  }),
}
