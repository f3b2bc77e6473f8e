import type { FriendLinkPreview } from '@hither/contract/friend-links.ts'
import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'
import { type ReactNode, useEffect, useRef } from 'react'
import { AuthLayout } from '../auth/AuthLayout.tsx'
import { UserAvatar } from '../ui/UserAvatar.tsx'

interface Props {
  heading: string
  line?: string
  /** The creator of the link. Visitors get no image of them. */
  person?: FriendLinkPreview
  isBusy?: boolean
  children?: ReactNode
}

/** The frame of every state of the screen. Each state is mounted as a new component, which moves the focus to its heading. */
export function AddLayout({ heading, line, person, isBusy = false, children }: Props) {
  const headingRef = useRef<HTMLHeadingElement>(null)
  useEffect(() => headingRef.current?.focus(), [])
  return (
    <AuthLayout heading={heading} headingRef={headingRef} {...(line !== undefined && { line })}>
      {person?.user_id !== undefined && (
        <Box sx={{ display: 'flex', justifyContent: 'center', mb: 3 }}>
          <UserAvatar userId={person.user_id} name={person.username} hasImage={person.has_image} size={96} />
        </Box>
      )}
      {isBusy && <CircularProgress aria-hidden size={28} />}
      {children}
    </AuthLayout>
  )
}
