import type { AdminAction } from '@hither/contract/moderation.ts'
import Card from '@mui/material/Card'
import Typography from '@mui/material/Typography'
import { useInfiniteQuery } from '@tanstack/react-query'
import { t, textOf } from '../i18n/translate.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { actionsQuery } from './admin.api.ts'
import { PagedList } from './PagedList.tsx'

/** The audit log of the admins' actions. */
export function ActionsTab() {
  const actions = useInfiniteQuery(actionsQuery())
  return (
    <PagedList
      label={t('admin.log')}
      rows={actions}
      empty={t('admin.noActions')}
      keyOf={({ id }) => id}
      renderRow={(action) => (
        <Card sx={{ px: 2, py: 1.25 }}>
          <Typography sx={{ overflowWrap: 'anywhere' }}>{sentenceOf(action)}</Typography>
          {action.note !== null && (
            <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
              {noteOf(action.action, action.note)}
            </Typography>
          )}
          <Typography variant="body2" color="textSecondary">
            <RelativeTime at={action.acted_at} />
          </Typography>
        </Card>
      )}
    />
  )
}

const aboutNobody: readonly AdminAction['action'][] = [
  'claim',
  'set_registration',
  'create_invitation',
  'revoke_invitation',
  'banner_set',
  'banner_removed',
]

/** A changed setting is shown by its name. */
function noteOf(action: AdminAction['action'], note: string): string {
  if (action !== 'set_registration') return note
  return textOf(`admin.modes.${note}`) ?? note
}

function sentenceOf({ admin_username, action, username }: AdminAction): string {
  const sentence = `${admin_username ?? t('admin.somebody')} ${textOf(`admin.actions.${action}`) ?? action}`
  if (aboutNobody.includes(action)) return sentence
  return `${sentence} ${username ?? t('admin.somebody').toLowerCase()}`
}
