import type { FastifyError } from 'fastify'
import { AppError } from '../errors/index.ts'

/** The hub's error for what Fastify itself refuses before a handler runs; undefined for the rest. */
export function fromFramework(error: FastifyError): AppError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('HUB-BDY-002', 'The body is larger than this address takes.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('HUB-BDY-003', 'This address does not take bodies of this Content-Type.')
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new AppError('HUB-BDY-001', 'The Content-Type says JSON, but the body is empty.')
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('HUB-BDY-001', error.message)
    case 'FST_ERR_BAD_URL':
      return new AppError(
        'HUB-QRY-001',
        'The path holds a % that is not followed by two hex digits.',
      )
    default:
      return error instanceof SyntaxError ? new AppError('HUB-BDY-001', error.message) : undefined
  }
}
