import { shownName } from '@hither/contract/runtime/users.ts'
import BlockRounded from '@mui/icons-material/BlockRounded'
import FlagOutlined from '@mui/icons-material/FlagOutlined'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'
import { t } from '../i18n/translate.ts'
import { ReportDialog } from '../moderation/ReportDialog.tsx'
import { Menu } from '../ui/overlays/Menu.tsx'
import { BlockDialog } from './BlockDialog.tsx'
import type { Person } from './find-people.ts'

/** The less frequent actions for a user. */
export function PersonMenu({ person }: { person: Person }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [asking, setAsking] = useState<'block' | 'report' | null>(null)

  function handleOpenDialog(what: 'block' | 'report') {
    setAnchor(null)
    setAsking(what)
  }

  return (
    <>
      <IconButton
        title={t('friends.moreAbout', { name: shownName(person) })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVertRounded />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        <MenuItem onClick={() => handleOpenDialog('block')}>
          <ListItemIcon>
            <BlockRounded fontSize="small" />
          </ListItemIcon>
          {t('friends.blockConfirm')}
        </MenuItem>
        <MenuItem onClick={() => handleOpenDialog('report')}>
          <ListItemIcon>
            <FlagOutlined fontSize="small" />
          </ListItemIcon>
          {t('moderation.report.report')}
        </MenuItem>
      </Menu>
      <BlockDialog open={asking === 'block'} person={person} onClose={() => setAsking(null)} />
      <ReportDialog
        open={asking === 'report'}
        target={{ kind: 'user', id: person.user_id, name: shownName(person), hasImage: person.has_image }}
        onClose={() => setAsking(null)}
      />
    </>
  )
}
