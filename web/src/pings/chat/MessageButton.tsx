import type { UserId } from '@hither/contract/ids.ts'
import type { Ping } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import ChatBubbleOutlineRounded from '@mui/icons-material/ChatBubbleOutlineRounded'
import Button, { type ButtonProps } from '@mui/material/Button'
import { Link } from 'react-router'
import { t } from '../../i18n/translate.ts'

/** Opens the direct chat with the other person of a ping. Renders nothing if the owner has invited several people. */
export function MessageButton({ ping, ...props }: { ping: Ping } & Pick<ButtonProps, 'size' | 'variant'>) {
  const partner = partnerOf(ping)
  if (partner === null) return null
  return (
    <Button
      {...props}
      component={Link}
      to="/chat"
      state={{ userId: partner.userId }}
      startIcon={<ChatBubbleOutlineRounded />}
      sx={{ minWidth: 0, overflowWrap: 'anywhere' }}
    >
      {t('pings.messageTo', { name: partner.name })}
    </Button>
  )
}

function partnerOf(ping: Ping): { userId: UserId; name: string } | null {
  if (ping.access === 'invitee') return { userId: ping.user_id, name: shownName(ping) }
  const [recipient, ...others] = ping.recipients
  if (recipient === undefined || others.length > 0) return null
  return {
    userId: recipient.recipient_id,
    name: recipient.recipient_display_name ?? recipient.recipient_username ?? '',
  }
}
