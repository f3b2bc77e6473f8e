import type { OwnPing } from '@hither/contract/pings.ts'
import { serverNow } from '../api/server-time.ts'
import { t } from '../i18n/translate.ts'
import { navigate } from '../ui/navigate.ts'
import { type Notice, type NoticeAction, publishNotice } from '../ui/notices/notices.ts'
import { sharedText } from './audience.ts'
import { sharePing } from './share-ping.ts'

/** The notice about a new ping. It leads to the ping and, if that is public, to the share sheet. */
export function createdNotice(ping: OwnPing, text = sharedText(ping, serverNow())): Notice {
  const view: NoticeAction = { label: t('pings.create.view'), onClick: () => navigate(`/pins/${ping.id}`) }
  const share: NoticeAction = { label: t('pings.share'), onClick: () => void sharePing(ping, publishNotice) }
  return { kind: 'notice', text, actions: ping.is_public ? [share, view] : [view] }
}
