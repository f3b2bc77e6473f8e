import type { ConversationSummary } from '@hither/contract/messages/messages.ts'
import List from '@mui/material/List'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { useSession } from '../../session/session.ts'
import { useBlocked } from '../participants/use-blocked.ts'
import { ConversationRow } from './ConversationRow.tsx'

interface Props {
  label: string
  summaries: readonly ConversationSummary[]
  /** A last row that is no conversation. */
  children?: ReactNode
}

export function ConversationRows({ label, summaries, children }: Props) {
  const { conversationId } = useParams()
  const { user } = useSession()
  const blocked = useBlocked(summaries.some(({ type }) => type === 'group'))
  return (
    <List disablePadding aria-label={label} sx={{ px: { xs: 1, sm: 2, md: 1 } }}>
      {summaries.map((summary) => (
        <ConversationRow
          key={summary.id}
          summary={summary}
          viewerId={user?.id}
          isOpen={summary.id === conversationId}
          blocked={blocked}
        />
      ))}
      {children}
    </List>
  )
}
