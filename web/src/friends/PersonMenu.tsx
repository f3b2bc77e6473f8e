import { type UserId } from '@hither/contract/ids.ts'
import BlockRounded from '@mui/icons-material/BlockRounded'
import FlagOutlined from '@mui/icons-material/FlagOutlined'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'
import { ReportDialog } from '../moderation/ReportDialog.tsx'
import { reportStrings } from '../moderation/strings.ts'
import { BlockDialog } from './BlockDialog.tsx'
import { friendStrings } from './strings.ts'

interface Props {
  userId: UserId
  username: string
  hasImage: boolean
}

/** What is seldom done with a person. */
export function PersonMenu({ userId, username, hasImage }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [asking, setAsking] = useState<'block' | 'report' | null>(null)

  function handleAsk(what: 'block' | 'report') {
    setAnchor(null)
    setAsking(what)
  }

  return (
    <>
      <IconButton
        title={friendStrings.moreAbout(username)}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVertRounded />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        <MenuItem onClick={() => handleAsk('block')}>
          <ListItemIcon>
            <BlockRounded fontSize="small" />
          </ListItemIcon>
          {friendStrings.blockConfirm}
        </MenuItem>
        <MenuItem onClick={() => handleAsk('report')}>
          <ListItemIcon>
            <FlagOutlined fontSize="small" />
          </ListItemIcon>
          {reportStrings.report}
        </MenuItem>
      </Menu>
      <BlockDialog open={asking === 'block'} userId={userId} username={username} onClose={() => setAsking(null)} />
      <ReportDialog
        open={asking === 'report'}
        target={{ kind: 'user', id: userId, username, hasImage }}
        onClose={() => setAsking(null)}
      />
    </>
  )
}
