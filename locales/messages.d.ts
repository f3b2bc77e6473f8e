/** Written by scripts/build-messages.ts: each key of the catalogs with its placeholders. */
export interface Messages {
  'admin.actions.appoint': null
  'admin.actions.banner_removed': null
  'admin.actions.banner_set': null
  'admin.actions.claim': null
  'admin.actions.create_invitation': null
  'admin.actions.create_reset_link': null
  'admin.actions.delete_reported': null
  'admin.actions.dismiss_admin': null
  'admin.actions.dismiss_report': null
  'admin.actions.lift': null
  'admin.actions.revoke_invitation': null
  'admin.actions.set_registration': null
  'admin.actions.suspend': null
  'admin.admin': null
  'admin.admins': null
  'admin.answers.accepted': null
  'admin.answers.declined': null
  'admin.answers.tentative': null
  'admin.appoint': null
  'admin.appointText': null
  'admin.appointTitle': { name: string | number }
  'admin.appointed': { name: string | number }
  'admin.backups.encrypted': null
  'admin.backups.howTo': null
  'admin.backups.howToRun': { command: string | number }
  'admin.backups.howToSet': { setting: string | number }
  'admin.backups.howToStore': null
  'admin.backups.nightly': { days: number; day: string | number; time: string | number }
  'admin.backups.nightlyNone': { days: number }
  'admin.backups.off': null
  'admin.backups.olderUnencrypted': { count: number }
  'admin.backups.title': null
  'admin.backups.unencrypted': null
  'admin.banner.change': null
  'admin.banner.ends': { time: string | number }
  'admin.banner.everyone': null
  'admin.banner.remove': null
  'admin.banner.show': null
  'admin.banner.text': null
  'admin.banner.title': null
  'admin.banner.until': null
  'admin.by': null
  'admin.claim': null
  'admin.claimPowers': null
  'admin.claimText': null
  'admin.claimTitle': null
  'admin.code': null
  'admin.copied': null
  'admin.copy': null
  'admin.copyFailed': null
  'admin.createResetLink': null
  'admin.database': null
  'admin.databases.embedded': { version: string | number }
  'admin.databases.postgresql': { version: string | number }
  'admin.days': null
  'admin.diagnostics.again': null
  'admin.diagnostics.allWell': null
  'admin.diagnostics.checking': null
  'admin.diagnostics.clockAhead': { seconds: number }
  'admin.diagnostics.clockBehind': { seconds: number }
  'admin.diagnostics.connecting': null
  'admin.diagnostics.failed': null
  'admin.diagnostics.mailFailed': null
  'admin.diagnostics.noLive': null
  'admin.diagnostics.notSecure': { origin: string | number }
  'admin.diagnostics.otherAddress': { origin: string | number; publicUrl: string | number }
  'admin.diagnostics.roundTrip': { ms: string | number }
  'admin.diagnostics.sameAddress': { origin: string | number }
  'admin.diagnostics.sameClock': null
  'admin.diagnostics.sendMail': null
  'admin.diagnostics.slowRoundTrip': { ms: string | number }
  'admin.diagnostics.states.failed': null
  'admin.diagnostics.states.off': null
  'admin.diagnostics.states.ok': null
  'admin.diagnostics.states.warning': null
  'admin.diagnostics.title': null
  'admin.diagnostics.titles.address_bar': null
  'admin.diagnostics.titles.clock': null
  'admin.diagnostics.titles.database': null
  'admin.diagnostics.titles.device_clock': null
  'admin.diagnostics.titles.disk': null
  'admin.diagnostics.titles.geocoder': null
  'admin.diagnostics.titles.live': null
  'admin.diagnostics.titles.mail': null
  'admin.diagnostics.titles.nodes': null
  'admin.diagnostics.titles.passkeys': null
  'admin.diagnostics.titles.proxy': null
  'admin.diagnostics.titles.public_address': null
  'admin.diagnostics.titles.push': null
  'admin.diagnostics.titles.sign_in_provider': null
  'admin.diagnostics.titles.storage': null
  'admin.diagnostics.toLookAt': { count: number }
  'admin.diskFree': null
  'admin.dismiss': null
  'admin.dismissAdmin': null
  'admin.dismissed': null
  'admin.dismissedAdmin': { name: string | number }
  'admin.done': null
  'admin.durations.1': null
  'admin.durations.30': null
  'admin.durations.7': null
  'admin.durations.ever': null
  'admin.entrance': null
  'admin.erasing': null
  'admin.everyone': null
  'admin.goHome': null
  'admin.handled': null
  'admin.handledBy': { outcome: string | number; name: string | number }
  'admin.howLong': null
  'admin.invitations': null
  'admin.joined': null
  'admin.lift': null
  'admin.lifted': { name: string | number }
  'admin.livePings': null
  'admin.log': null
  'admin.made': null
  'admin.madeAt': null
  'admin.madeText': null
  'admin.make': null
  'admin.memberInvites': null
  'admin.memberInvitesOptions.0': null
  'admin.memberInvitesOptions.10': null
  'admin.memberInvitesOptions.3': null
  'admin.memberInvitesOptions.50': null
  'admin.modes.closed': null
  'admin.modes.invite': null
  'admin.modes.open': null
  'admin.more': null
  'admin.moreAbout': { name: string | number }
  'admin.newInvitation': null
  'admin.noActions': null
  'admin.noHandled': null
  'admin.noInvitations': null
  'admin.noOpen': null
  'admin.nobody': null
  'admin.notFound': null
  'admin.notFoundText': null
  'admin.note': null
  'admin.numberFrom': { least: string | number; most: string | number }
  'admin.ofShare': { used: string | number; share: string | number }
  'admin.open': null
  'admin.openReports': { count: number }
  'admin.outcomes.deleted': null
  'admin.outcomes.dismissed': null
  'admin.outcomes.open': null
  'admin.outcomes.suspended': null
  'admin.people': null
  'admin.picture': { name: string | number }
  'admin.pictureGone': null
  'admin.pictures': null
  'admin.picturesOf': { name: string | number }
  'admin.ranOut': null
  'admin.reason': null
  'admin.reasonMissing': null
  'admin.registration': null
  'admin.registrationSaved': null
  'admin.remove': null
  'admin.removeText': null
  'admin.removeTitle': null
  'admin.removed': null
  'admin.reportedBy': { name: string | number }
  'admin.reportedByDeleted': null
  'admin.reports': null
  'admin.resetLink': { name: string | number }
  'admin.resetText': { name: string | number }
  'admin.resetTitle': { name: string | number }
  'admin.resetUntil': { day: string | number; time: string | number }
  'admin.revoke': null
  'admin.revokeOf': { note: string | number }
  'admin.revokeText': null
  'admin.revokeTitle': null
  'admin.revoked': null
  'admin.runsOut': null
  'admin.search': null
  'admin.server': null
  'admin.showPicture': null
  'admin.since': null
  'admin.somebody': null
  'admin.subjects.guest': null
  'admin.subjects.message': null
  'admin.subjects.pin_image': null
  'admin.subjects.ping': null
  'admin.subjects.profile_image': null
  'admin.subjects.user': null
  'admin.suspend': null
  'admin.suspendText': null
  'admin.suspendTitle': { name: string | number }
  'admin.suspended': { name: string | number }
  'admin.suspendedForGood': null
  'admin.suspendedNow': null
  'admin.suspendedPeople': null
  'admin.suspendedUntil': null
  'admin.title': null
  'admin.unknown': null
  'admin.unnamed': null
  'admin.updateAvailable': { version: string | number }
  'admin.updateFailed': { day: string | number }
  'admin.updateNotes': null
  'admin.userCount': null
  'admin.uses': null
  'admin.usesLeft': { left: string | number; max: string | number }
  'admin.version': null
  'admin.waiting': null
  'admin.waitingText': { mails: string | number; pushes: string | number }
  'admin.which': null
  'admin.whom': null
  'auth.age': null
  'auth.askForLink': null
  'auth.backToSignIn': null
  'auth.backToSignUp': null
  'auth.brand': null
  'auth.checkYourEmail': null
  'auth.confirmAndReplace': { current: string | number }
  'auth.confirmButton': null
  'auth.confirmFailed': null
  'auth.confirmHeading': null
  'auth.confirmLine': null
  'auth.confirmLinkMissing': null
  'auth.confirmNotYours': null
  'auth.confirmPassword': null
  'auth.confirmPasswordHelper': null
  'auth.confirmReplaces': { current: string | number }
  'auth.confirmationSentTo': null
  'auth.confirmationSteps': null
  'auth.email': null
  'auth.emailInvalid': null
  'auth.fillInAllFields': null
  'auth.forgotFailed': null
  'auth.forgotHeading': null
  'auth.forgotLine': null
  'auth.forgotPassword': null
  'auth.goToSignIn': null
  'auth.haveAccount': null
  'auth.hidePassword': null
  'auth.invitedBy': { name: string | number }
  'auth.joinAsAdmin': null
  'auth.joinHither': null
  'auth.joinLine': null
  'auth.line': null
  'auth.linkSteps': null
  'auth.loginFailed': null
  'auth.newPassword': null
  'auth.noAccount': null
  'auth.noRefreshToken': null
  'auth.offline': null
  'auth.openingLink': null
  'auth.otherSignIn.or': null
  'auth.otherSignIn.passkey': null
  'auth.otherSignIn.provider': { name: string | number }
  'auth.password': null
  'auth.passwordHelper': null
  'auth.passwordTooShort': null
  'auth.passwordsDiffer': null
  'auth.proveInBrowser': null
  'auth.proveWithGoogle': null
  'auth.proven': null
  'auth.provider.failed': null
  'auth.provider.failedHeading': null
  'auth.provider.goToProfile': null
  'auth.provider.goToSignIn': null
  'auth.provider.linkFailedHeading': null
  'auth.provider.linked': null
  'auth.provider.linking': null
  'auth.provider.signedIn': null
  'auth.provider.signingIn': null
  'auth.provider.tryAgain': null
  'auth.recovery.code': null
  'auth.recovery.codeInvalid': null
  'auth.recovery.continue': null
  'auth.recovery.failed': null
  'auth.recovery.line': null
  'auth.recovery.noCode': null
  'auth.recovery.useCode': null
  'auth.recovery.useEmail': null
  'auth.recoveryCodesEnded': null
  'auth.resend': null
  'auth.resendFailed': null
  'auth.resent': null
  'auth.resetDone': null
  'auth.resetFailed': null
  'auth.resetHeading': null
  'auth.resetLine': null
  'auth.resetSent': null
  'auth.sendLink': null
  'auth.sessionExpired': null
  'auth.setPassword': null
  'auth.showPassword': null
  'auth.signIn': null
  'auth.signUp': null
  'auth.signupFailed': null
  'auth.staySignedIn': { current: string | number }
  'auth.tryAgain': null
  'auth.username': null
  'auth.usernameInvalid': null
  'auth.usernameTooLong': null
  'auth.usernameTooShort': null
  'auth.welcomeBack': null
  'auth.welcomeBackLine': null
  'chat.addFailed': null
  'chat.attach.attach': null
  'chat.attach.drop': null
  'chat.attach.photo': null
  'chat.attach.place': null
  'chat.blockedPreview': null
  'chat.compose.cancel': null
  'chat.compose.cancelReply': null
  'chat.compose.editTitle': null
  'chat.compose.replyingTo': { name: string | number }
  'chat.compose.replyingToYourself': null
  'chat.compose.save': null
  'chat.conversation.add': null
  'chat.conversation.addOne': { name: string | number }
  'chat.conversation.back': null
  'chat.conversation.deleteCheck': null
  'chat.conversation.deleteGroup': null
  'chat.conversation.deleteText': { name: string | number }
  'chat.conversation.deleteTitle': null
  'chat.conversation.ended': { name: string | number }
  'chat.conversation.joinAgain': null
  'chat.conversation.leaveGroup': null
  'chat.conversation.leaveText': { name: string | number }
  'chat.conversation.leaveTitle': null
  'chat.conversation.loading': null
  'chat.conversation.members': { count: number }
  'chat.conversation.newName': null
  'chat.conversation.noneToAdd': null
  'chat.conversation.options': null
  'chat.conversation.participants': null
  'chat.conversation.remove': { name: string | number }
  'chat.conversation.rename': null
  'chat.conversation.roles.admin': null
  'chat.conversation.roles.member': null
  'chat.conversation.save': null
  'chat.conversation.toList': null
  'chat.conversation.viewProfile': null
  'chat.conversation.you': null
  'chat.createFailed': null
  'chat.date.asked': null
  'chat.date.confirm': null
  'chat.date.confirmText': null
  'chat.date.confirmTitle': { count: number }
  'chat.date.ended': { name: string | number }
  'chat.date.endedUnsent': { count: number; name: string | number }
  'chat.date.header': { count: number; date: string | number }
  'chat.date.headerToday': { count: number; time: string | number }
  'chat.date.keep': null
  'chat.date.keepFailed': null
  'chat.date.keptNotice': null
  'chat.date.offline': null
  'chat.date.ok': null
  'chat.date.someoneAsked': null
  'chat.date.stays': null
  'chat.date.staysForAll': { count: number }
  'chat.date.staysWithAnother': null
  'chat.date.takeBack': null
  'chat.date.takeBackFailed': null
  'chat.date.text': { days: number }
  'chat.date.textWithoutDays': null
  'chat.date.title': { date: string | number; time: string | number }
  'chat.date.unsent': { count: number; name: string | number }
  'chat.deleteFailed': null
  'chat.deletedUser': null
  'chat.directNeedsOne': null
  'chat.editFailed': null
  'chat.emoji.crying': null
  'chat.emoji.foldedHands': null
  'chat.emoji.heart': null
  'chat.emoji.joy': null
  'chat.emoji.openMouth': null
  'chat.emoji.thumbsUp': null
  'chat.emojiGroups.activities': null
  'chat.emojiGroups.animals': null
  'chat.emojiGroups.flags': null
  'chat.emojiGroups.food': null
  'chat.emojiGroups.objects': null
  'chat.emojiGroups.people': null
  'chat.emojiGroups.smileys': null
  'chat.emojiGroups.symbols': null
  'chat.emojiGroups.travel': null
  'chat.empty': null
  'chat.friendsFailed': null
  'chat.groupIncomplete': null
  'chat.leaveFailed': null
  'chat.list': null
  'chat.list.archive': null
  'chat.list.archived': null
  'chat.list.archivedList': null
  'chat.list.archivedRow': { count: string | number }
  'chat.list.archivedTitle': null
  'chat.list.back': null
  'chat.list.moveFailed': null
  'chat.list.noneArchived': null
  'chat.list.options': { name: string | number }
  'chat.list.pin': null
  'chat.list.pinned': null
  'chat.list.unarchive': null
  'chat.list.undo': null
  'chat.list.unpin': null
  'chat.listFailed': null
  'chat.loadFailed': null
  'chat.loading': null
  'chat.message.backToReply': null
  'chat.message.copy': null
  'chat.message.copyFailed': null
  'chat.message.deleted': null
  'chat.message.discard': null
  'chat.message.edit': null
  'chat.message.edited': null
  'chat.message.folded': { count: number }
  'chat.message.list': null
  'chat.message.loadingNewer': null
  'chat.message.loadingOlder': null
  'chat.message.newMessages': null
  'chat.message.newerFailed': null
  'chat.message.none': null
  'chat.message.notSaved': { reason: string | number }
  'chat.message.notSent': { reason: string | number }
  'chat.message.olderFailed': null
  'chat.message.options': null
  'chat.message.placeholder': null
  'chat.message.react': null
  'chat.message.remove': null
  'chat.message.removeConfirm': null
  'chat.message.removeFailed': null
  'chat.message.removeText': null
  'chat.message.removeTitle': null
  'chat.message.reply': null
  'chat.message.replyTo': { name: string | number; text: string | number }
  'chat.message.retry': null
  'chat.message.said': { name: string | number; text: string | number }
  'chat.message.send': null
  'chat.message.show': null
  'chat.message.states.failed': null
  'chat.message.states.read': null
  'chat.message.states.sent': null
  'chat.message.states.waiting': null
  'chat.message.toNewest': null
  'chat.message.typingOne': { name: string | number }
  'chat.message.typingSeveral': null
  'chat.message.typingTwo': { first: string | number; second: string | number }
  'chat.message.you': null
  'chat.navigateFailed': null
  'chat.newChat': null
  'chat.newChat.circles': null
  'chat.newChat.createGroup': null
  'chat.newChat.exists': null
  'chat.newChat.friends': null
  'chat.newChat.group': null
  'chat.newChat.loading': null
  'chat.newChat.name': null
  'chat.newChat.noFriends': null
  'chat.newChat.start': null
  'chat.newChat.title': null
  'chat.noneOpen': null
  'chat.of': { name: string | number; text: string | number }
  'chat.own': { text: string | number }
  'chat.ownDraft': { text: string | number }
  'chat.photo.caption': null
  'chat.photo.close': null
  'chat.photo.content': null
  'chat.photo.failed': null
  'chat.photo.gone': null
  'chat.photo.loading': null
  'chat.photo.noPreview': null
  'chat.photo.notSent': null
  'chat.photo.of': { name: string | number }
  'chat.photo.ofWithCaption': { name: string | number; caption: string | number }
  'chat.photo.own': null
  'chat.photo.ownWithCaption': { caption: string | number }
  'chat.photo.position': { number: string | number; count: string | number }
  'chat.photo.preview': null
  'chat.photo.save': null
  'chat.photo.send': null
  'chat.photo.skip': null
  'chat.photo.title': null
  'chat.photo.uploading': null
  'chat.photo.zoomIn': null
  'chat.photo.zoomOut': null
  'chat.place.close': null
  'chat.place.content': null
  'chat.place.map': null
  'chat.place.mapFailed': null
  'chat.place.mapLoading': null
  'chat.place.of': { name: string | number; place: string | number }
  'chat.place.open': null
  'chat.place.own': { place: string | number }
  'chat.place.retry': null
  'chat.place.send': null
  'chat.place.title': null
  'chat.place.unnamed': null
  'chat.reactFailed': null
  'chat.reaction.andOthers': { count: number; first: string | number; second: string | number }
  'chat.reaction.formerMember': null
  'chat.reaction.more': null
  'chat.reaction.none': null
  'chat.reaction.others': { count: string | number }
  'chat.reaction.picker': null
  'chat.reaction.quick': null
  'chat.reaction.reacted': { names: string | number; emoji: string | number }
  'chat.reaction.remove': null
  'chat.reaction.search': null
  'chat.reaction.title': null
  'chat.removeFailed': null
  'chat.renameFailed': null
  'chat.search.clear': null
  'chat.search.close': null
  'chat.search.count': { count: number }
  'chat.search.failed': null
  'chat.search.field': null
  'chat.search.inChat': null
  'chat.search.more': null
  'chat.search.moreThan': { count: number }
  'chat.search.none': null
  'chat.search.offline': null
  'chat.search.results': null
  'chat.search.searching': null
  'chat.search.you': null
  'chat.sendFailed': null
  'chat.startFailed': null
  'chat.title': null
  'chat.unread': { count: string | number }
  'circles.back': null
  'circles.chip': { count: number; name: string | number }
  'circles.chipSelected': { count: number; name: string | number }
  'circles.count': { count: number }
  'circles.create': null
  'circles.created': null
  'circles.delete': null
  'circles.deleteConfirm': null
  'circles.deleteFailed': null
  'circles.deleteText': null
  'circles.deleteTitle': null
  'circles.deleted': null
  'circles.editCircle': null
  'circles.emoji': null
  'circles.empty': null
  'circles.friends': null
  'circles.friendsFailed': null
  'circles.loadFailed': null
  'circles.loading': null
  'circles.name': null
  'circles.nameInvalid': null
  'circles.newCircle': null
  'circles.noFriends': null
  'circles.noMembers': null
  'circles.nobody': null
  'circles.offline': null
  'circles.onlyYou': null
  'circles.save': null
  'circles.saveFailed': null
  'circles.saved': null
  'circles.title': null
  'errors.account_suspended': null
  'errors.admin_code_invalid': null
  'errors.admin_not_resettable': null
  'errors.admin_not_suspendable': null
  'errors.already_friends': null
  'errors.authentication_required': null
  'errors.bad_request': null
  'errors.body_too_large': null
  'errors.chat_has_no_date': null
  'errors.circle_edit_conflict': null
  'errors.circle_exists': null
  'errors.circle_not_found': null
  'errors.confirmation_invalid': null
  'errors.conversation_left': null
  'errors.conversation_not_found': null
  'errors.direct_not_left': null
  'errors.direct_unmanageable': null
  'errors.disk_low': null
  'errors.edit_too_late': null
  'errors.email_registered': null
  'errors.email_unconfirmed': null
  'errors.export_running': null
  'errors.fault.banner_end_invalid': null
  'errors.fault.banner_text_invalid': null
  'errors.fault.cancel_message_too_long': null
  'errors.fault.change_unclear': null
  'errors.fault.circle_name_invalid': null
  'errors.fault.conversation_differs': null
  'errors.fault.coordinate_missing': null
  'errors.fault.cursor_invalid': null
  'errors.fault.display_name_invalid': null
  'errors.fault.email_unreachable': null
  'errors.fault.emoji_invalid': null
  'errors.fault.eta_out_of_range': null
  'errors.fault.field_required': null
  'errors.fault.file_missing': null
  'errors.fault.group_incomplete': null
  'errors.fault.group_name_invalid': null
  'errors.fault.guest_name_invalid': null
  'errors.fault.image_broken': null
  'errors.fault.image_too_large': null
  'errors.fault.invalid': null
  'errors.fault.invalid_format': null
  'errors.fault.json_invalid': null
  'errors.fault.locale_unknown': null
  'errors.fault.members_not_friends': null
  'errors.fault.message_invalid': null
  'errors.fault.multipart_incomplete': null
  'errors.fault.multipart_invalid': null
  'errors.fault.mute_over': null
  'errors.fault.name_hidden': null
  'errors.fault.no_friends': null
  'errors.fault.no_members': null
  'errors.fault.no_recipients': null
  'errors.fault.not_allowed_value': null
  'errors.fault.one_attachment': null
  'errors.fault.page_ambiguous': null
  'errors.fault.participants_not_invited': null
  'errors.fault.password_too_common': null
  'errors.fault.photo_unavailable': null
  'errors.fault.ping_name_missing': null
  'errors.fault.ping_name_too_long': null
  'errors.fault.push_endpoint_invalid': null
  'errors.fault.push_keys_invalid': null
  'errors.fault.query_invalid': null
  'errors.fault.quiet_hours_empty': null
  'errors.fault.recipients_not_friends': null
  'errors.fault.reply_to_unavailable': null
  'errors.fault.schedule_invalid': null
  'errors.fault.time_zone_unknown': null
  'errors.fault.too_large': { limit: string | number }
  'errors.fault.too_long': { limit: number }
  'errors.fault.too_many_circle_members': null
  'errors.fault.too_many_files': null
  'errors.fault.too_short': { limit: number }
  'errors.fault.too_small': { limit: string | number }
  'errors.fault.unexpected_file': null
  'errors.fault.wrong_type': null
  'errors.friend_link_invalid': null
  'errors.friend_link_not_found': null
  'errors.friend_not_found': null
  'errors.friend_request_not_found': null
  'errors.friend_request_not_yours_to_accept': null
  'errors.friend_request_sent': null
  'errors.google_not_configured': null
  'errors.guest_not_found': null
  'errors.guests_full': null
  'errors.guests_not_allowed': null
  'errors.header_too_large': null
  'errors.identity_email_unverified': null
  'errors.identity_in_use': null
  'errors.identity_link_needed': null
  'errors.identity_provider_unreachable': null
  'errors.identity_required': null
  'errors.image_not_found': null
  'errors.incident': { text: string | number; id: string | number }
  'errors.invalid_credentials': null
  'errors.invalid_identity_token': null
  'errors.invalid_refresh_token': null
  'errors.invitation_invalid': null
  'errors.invitation_not_found': null
  'errors.invitation_required': null
  'errors.last_admin': null
  'errors.last_sign_in_method': null
  'errors.mail_not_configured': null
  'errors.map_not_found': null
  'errors.message_not_editable': null
  'errors.message_not_found': null
  'errors.message_not_yours': null
  'errors.message_photo_too_large': null
  'errors.method_not_allowed': null
  'errors.no_active_ping': null
  'errors.not_addable': null
  'errors.not_an_image': null
  'errors.not_group_admin': null
  'errors.not_invited': null
  'errors.not_messageable': null
  'errors.not_own_profile': null
  'errors.not_ready': null
  'errors.oidc_not_configured': null
  'errors.own_friend_link': null
  'errors.own_friend_request': null
  'errors.own_removal': null
  'errors.own_report': null
  'errors.participant_left': null
  'errors.participant_not_found': null
  'errors.passkey_invalid': null
  'errors.passkey_not_found': null
  'errors.passkeys_not_available': null
  'errors.ping_chat_not_owned': null
  'errors.ping_edit_conflict': null
  'errors.ping_ended': null
  'errors.ping_expired': null
  'errors.ping_image_not_owned': null
  'errors.ping_image_too_large': null
  'errors.ping_life_exceeded': null
  'errors.ping_not_active': null
  'errors.ping_not_changeable': null
  'errors.ping_not_found': null
  'errors.ping_not_owned': null
  'errors.ping_not_scheduled': null
  'errors.ping_started': null
  'errors.place_hidden': null
  'errors.profile_image_too_large': null
  'errors.push_not_subscribed': null
  'errors.rate_limited': null
  'errors.recent_sign_in_required': null
  'errors.recovery_invalid': null
  'errors.registration_closed': null
  'errors.report_handled': null
  'errors.report_not_deletable': null
  'errors.report_not_found': null
  'errors.request_too_slow': null
  'errors.reset_invalid': null
  'errors.responses_hidden': null
  'errors.route_not_found': null
  'errors.server_busy': null
  'errors.session_not_found': null
  'errors.sign_in_attempt_invalid': null
  'errors.sign_in_denied': null
  'errors.sign_in_provider_unreachable': null
  'errors.signup_not_admitted': null
  'errors.signup_unproven': null
  'errors.storage_full': null
  'errors.suspended_not_appointable': null
  'errors.too_many_circles': null
  'errors.too_many_friend_links': null
  'errors.too_many_invitations': null
  'errors.too_many_messages': null
  'errors.too_many_moves': null
  'errors.too_many_passkeys': null
  'errors.too_many_pings': null
  'errors.too_many_pinned_chats': null
  'errors.too_many_reactions': null
  'errors.trip_ended': null
  'errors.trip_not_going': null
  'errors.trip_ping_expired': null
  'errors.trip_too_early': null
  'errors.unavailable': null
  'errors.unreachable': null
  'errors.unsupported_encoding': null
  'errors.unsupported_media_type': null
  'errors.user_not_found': null
  'errors.username_taken': null
  'errors.validation': { errors: string | number }
  'errors.wrong_password': null
  'files.notAnImage': null
  'files.pingIdMissing': null
  'files.pingImageTooLarge': null
  'files.pingImageUploadFailed': null
  'files.profileImageTooLarge': null
  'files.removeFailed': null
  'files.uploadFailed': null
  'friend-links.actionFailed': null
  'friend-links.add.accepted': { name: string | number }
  'friend-links.add.add': { name: string | number }
  'friend-links.add.addFriend': { name: string | number }
  'friend-links.add.alreadyFriends': { name: string | number }
  'friend-links.add.done': null
  'friend-links.add.failed': null
  'friend-links.add.goHome': null
  'friend-links.add.logIn': null
  'friend-links.add.noSignup': null
  'friend-links.add.notNow': null
  'friend-links.add.offline': null
  'friend-links.add.opening': null
  'friend-links.add.requestSent': null
  'friend-links.add.requestSentTo': { name: string | number }
  'friend-links.add.rightAway': null
  'friend-links.add.sendRequest': null
  'friend-links.add.signUp': null
  'friend-links.add.signedUpInvalid': null
  'friend-links.add.waiting': { name: string | number }
  'friend-links.add.willRequest': { name: string | number }
  'friend-links.code.added': { name: string | number }
  'friend-links.code.codeFailed': null
  'friend-links.code.loadingCode': null
  'friend-links.code.myCode': null
  'friend-links.code.newCodeIn': { clock: string | number }
  'friend-links.code.newCodeReady': null
  'friend-links.code.qrName': { name: string | number }
  'friend-links.code.scan': null
  'friend-links.code.scanThis': null
  'friend-links.code.shareInstead': null
  'friend-links.code.undo': null
  'friend-links.code.undoFailed': null
  'friend-links.link.admitsSignup': null
  'friend-links.link.copied': null
  'friend-links.link.copy': null
  'friend-links.link.copyFailed': null
  'friend-links.link.create': null
  'friend-links.link.days': null
  'friend-links.link.daysOption': { count: number }
  'friend-links.link.done': null
  'friend-links.link.moreUses': null
  'friend-links.link.needsAccount': null
  'friend-links.link.note': null
  'friend-links.link.oneUse': null
  'friend-links.link.share': null
  'friend-links.link.shareLink': null
  'friend-links.link.shownOnce': null
  'friend-links.link.title': null
  'friend-links.link.uses': null
  'friend-links.link.usesOption': { count: number }
  'friend-links.list.back': null
  'friend-links.list.empty': null
  'friend-links.list.expires': null
  'friend-links.list.loadFailed': null
  'friend-links.list.loading': null
  'friend-links.list.revoke': null
  'friend-links.list.revokeFailed': null
  'friend-links.list.revokeOf': { name: string | number }
  'friend-links.list.revokeText': null
  'friend-links.list.revokeTitle': null
  'friend-links.list.revoked': null
  'friend-links.list.title': null
  'friend-links.list.untitled': null
  'friend-links.list.usage': { used: string | number; max: string | number }
  'friend-links.list.usedBy': { names: string | number }
  'friend-links.more': null
  'friend-links.offline': null
  'friend-links.ready.change': null
  'friend-links.ready.closed': null
  'friend-links.ready.copy': null
  'friend-links.ready.invite': null
  'friend-links.ready.later': null
  'friend-links.ready.qrName': null
  'friend-links.ready.title': null
  'friend-links.ready.unreachable': { address: string | number }
  'friend-links.ready.uses': null
  'friend-links.scan.denied': null
  'friend-links.scan.foreign': { host: string | number }
  'friend-links.scan.noCamera': null
  'friend-links.scan.other': null
  'friend-links.scan.point': null
  'friend-links.scan.video': null
  'friends.accept': { name: string | number }
  'friends.acceptFailed': null
  'friends.acceptShort': null
  'friends.accepted': { name: string | number }
  'friends.addFriend': null
  'friends.blockConfirm': null
  'friends.blockConsequences.0': null
  'friends.blockConsequences.1': null
  'friends.blockConsequences.2': null
  'friends.blockFailed': null
  'friends.blockText': null
  'friends.blockTitle': { name: string | number }
  'friends.blocked': { name: string | number }
  'friends.cancelFailed': null
  'friends.cancelRequest': { name: string | number }
  'friends.cancelShort': null
  'friends.chatWith': { name: string | number }
  'friends.circles': null
  'friends.decline': { name: string | number }
  'friends.declineFailed': null
  'friends.filter': null
  'friends.friends': null
  'friends.friendsSince': null
  'friends.loadFailed': null
  'friends.loading': null
  'friends.memberSince': { month: string | number }
  'friends.message': null
  'friends.moreAbout': { name: string | number }
  'friends.noFriends': null
  'friends.noReceived': null
  'friends.noSent': null
  'friends.noneFound': null
  'friends.online': null
  'friends.picker.noneFound': null
  'friends.picker.search': null
  'friends.picker.selected': null
  'friends.picker.unselect': { name: string | number }
  'friends.profileFailed': null
  'friends.received': null
  'friends.remove': { name: string | number }
  'friends.removeConfirm': null
  'friends.removeFailed': null
  'friends.removeText': null
  'friends.removeTitle': null
  'friends.requestFailed': null
  'friends.requestPending': null
  'friends.requestSent': null
  'friends.search': null
  'friends.sendRequest': null
  'friends.sent': null
  'friends.title': null
  'friends.userId': null
  'friends.username': null
  'friends.usernameHelper': null
  'friends.usernameMissing': null
  'friends.wantsToBeFriend': null
  'home.addPin': null
  'home.dontShowAgain': null
  'home.gotIt': null
  'home.listsLabel': null
  'home.locationText.0': null
  'home.locationText.1': null
  'home.locationTitle': null
  'home.pinHere': null
  'home.place': null
  'home.quickPin': null
  'home.recenter': null
  'home.shareHere': null
  'home.sheetHandle': null
  'home.stepDone': null
  'home.steps.friend.label': null
  'home.steps.friend.text': null
  'home.steps.notify.label': null
  'home.steps.notify.text': null
  'home.steps.pin.label': null
  'home.steps.pin.text': null
  'home.stepsLabel': null
  'home.title': null
  'mails.brokenButton': null
  'mails.confirm.button': null
  'mails.confirm.note': null
  'mails.confirm.once': { hours: string | number }
  'mails.confirm.subject': null
  'mails.confirm.text': null
  'mails.confirm.title': null
  'mails.reset.note': null
  'mails.reset.once': { minutes: string | number }
  'mails.reset.subject': null
  'mails.reset.text': null
  'mails.reset.unconfirmed': null
  'mails.security.notYou': null
  'mails.security.note': null
  'mails.taken.button': null
  'mails.taken.forgot': null
  'mails.taken.note': null
  'mails.taken.subject': null
  'mails.taken.text': null
  'map.address': null
  'map.addressGoesOut': null
  'map.addressStaysHere': null
  'map.attempt': { attempt: string | number; of: string | number }
  'map.away': { distance: string | number; minutes: string | number }
  'map.awayFar': { distance: string | number }
  'map.blueMarble': null
  'map.closeSearch': null
  'map.coordinates': null
  'map.failed': null
  'map.failedToStart': null
  'map.findAddress': null
  'map.fitPins': null
  'map.foundPlace': { name: string | number }
  'map.hideAlert': null
  'map.keyMissing': null
  'map.keyRefused': null
  'map.loading': null
  'map.loadingStreets': { attempt: string | number; of: string | number }
  'map.location.denied': null
  'map.location.failed': null
  'map.location.insecure': null
  'map.location.locating': null
  'map.location.timedOut': null
  'map.location.unavailable': null
  'map.location.unknown': null
  'map.location.unsupported': null
  'map.movePin': null
  'map.naturalEarth': null
  'map.noAddress': null
  'map.noPlaces': null
  'map.noStreets': null
  'map.ownPosition': null
  'map.ownPositionShort': null
  'map.placeMap': null
  'map.placeView.activate': null
  'map.placeView.failed': null
  'map.placeView.show': null
  'map.removeAddress': null
  'map.results': { count: number }
  'map.satellite': null
  'map.satelliteCloser': null
  'map.satelliteOffline': null
  'map.search': null
  'map.searchFailed': null
  'map.searchPlaceholder': null
  'map.searching': null
  'map.streetsFailed': null
  'map.title': null
  'map.tools': null
  'map.unsupported': null
  'map.zoomIn': { count: string | number }
  'moderation.actionFailed': null
  'moderation.banner.hide': null
  'moderation.loadFailed': null
  'moderation.reason.harassment': null
  'moderation.reason.impersonation': null
  'moderation.reason.other': null
  'moderation.reason.sexual': null
  'moderation.reason.spam': null
  'moderation.reason.threat': null
  'moderation.report.chooseReason': null
  'moderation.report.itsPicture': null
  'moderation.report.more': null
  'moderation.report.report': null
  'moderation.report.reportMessage': null
  'moderation.report.reportOf': { name: string | number }
  'moderation.report.reportPing': null
  'moderation.report.send': null
  'moderation.report.thePerson': null
  'moderation.report.thePing': null
  'moderation.report.theirPicture': null
  'moderation.report.whatAbout': null
  'moderation.report.whoSees': null
  'moderation.report.why': null
  'moderation.reportFailed': null
  'moderation.reported': null
  'notifications.card.choose': null
  'notifications.card.chooseName': null
  'notifications.card.device': null
  'notifications.card.pushUnavailable': null
  'notifications.card.sendTest': null
  'notifications.card.settings': null
  'notifications.card.settingsText': null
  'notifications.card.states.denied': null
  'notifications.card.states.insecure': null
  'notifications.card.states.install': null
  'notifications.card.states.native': null
  'notifications.card.states.off': null
  'notifications.card.states.on': null
  'notifications.card.states.unavailable': null
  'notifications.card.states.unsupported': null
  'notifications.card.test': null
  'notifications.card.testSent': null
  'notifications.card.testText': null
  'notifications.card.title': null
  'notifications.card.turnOff': null
  'notifications.card.turnOffName': null
  'notifications.card.turnOn': null
  'notifications.card.turnOnName': null
  'notifications.card.turnedOff': null
  'notifications.card.turnedOn': null
  'notifications.event.answered': null
  'notifications.event.leave': null
  'notifications.event.leaveText': null
  'notifications.event.leaveTitle': null
  'notifications.loadFailed': null
  'notifications.mute.cancel': null
  'notifications.mute.choices.1': null
  'notifications.mute.choices.168': null
  'notifications.mute.choices.8': null
  'notifications.mute.forGood': null
  'notifications.mute.mute': null
  'notifications.mute.muted': null
  'notifications.mute.mutedForGood': null
  'notifications.mute.mutedUntil': { time: string | number }
  'notifications.mute.text': null
  'notifications.mute.title': null
  'notifications.mute.unmute': null
  'notifications.mute.unmuted': null
  'notifications.muteFailed': null
  'notifications.quietHoursEmpty': null
  'notifications.saveFailed': null
  'notifications.settings.close': null
  'notifications.settings.from': null
  'notifications.settings.hide': null
  'notifications.settings.hideText': null
  'notifications.settings.kinds.friend_request.label': null
  'notifications.settings.kinds.friend_request.text': null
  'notifications.settings.kinds.message.label': null
  'notifications.settings.kinds.message.text': null
  'notifications.settings.kinds.message_reaction.label': null
  'notifications.settings.kinds.message_reaction.text': null
  'notifications.settings.kinds.new_ping.label': null
  'notifications.settings.kinds.new_ping.text': null
  'notifications.settings.kinds.ping_activated.label': null
  'notifications.settings.kinds.ping_activated.text': null
  'notifications.settings.kinds.ping_changed.label': null
  'notifications.settings.kinds.ping_changed.text': null
  'notifications.settings.kinds.ping_reminder.label': null
  'notifications.settings.kinds.ping_reminder.text': null
  'notifications.settings.kinds.ping_response.label': null
  'notifications.settings.kinds.ping_response.text': null
  'notifications.settings.kinds.ping_trip.label': null
  'notifications.settings.kinds.ping_trip.text': null
  'notifications.settings.quiet': null
  'notifications.settings.quietText': null
  'notifications.settings.title': null
  'notifications.settings.to': null
  'notifications.settings.zone': { name: string | number }
  'notifications.subscribeFailed': null
  'notifications.suggestion.later': null
  'notifications.suggestion.text': null
  'notifications.suggestion.turnOn': null
  'notifications.testFailed': null
  'notifications.unsubscribeFailed': null
  'pings.activated': { time: string | number }
  'pings.activates': { time: string | number }
  'pings.addPicture': null
  'pings.addTime': null
  'pings.addToCalendar': null
  'pings.area.inThisArea': null
  'pings.area.inThisAreaShort': null
  'pings.area.near': { town: string | number }
  'pings.area.somewhere': { town: string | number }
  'pings.audience': null
  'pings.audience.anyone': null
  'pings.audience.friends': { count: number }
  'pings.audience.onlyYou': null
  'pings.audience.text': { people: string | number; time: string | number }
  'pings.audience.until': { time: string | number }
  'pings.back': null
  'pings.by': { username: string | number }
  'pings.calendarFailed': null
  'pings.cancel.cancel': null
  'pings.cancel.canceled': null
  'pings.cancel.insteadOfDelete': { count: number }
  'pings.cancel.keep': null
  'pings.cancel.message': null
  'pings.cancel.title': null
  'pings.cancelFailed': null
  'pings.cancelMessageTooLong': null
  'pings.canceled': null
  'pings.canceledBy': { owner: string | number }
  'pings.changeFailed': null
  'pings.changePicture': null
  'pings.changeResponse': null
  'pings.close': null
  'pings.copied': null
  'pings.copyFailed': null
  'pings.create.addImage': null
  'pings.create.advanced': null
  'pings.create.allFriends': null
  'pings.create.changeImage': null
  'pings.create.chatName': { name: string | number }
  'pings.create.chooseOnMap': null
  'pings.create.close': null
  'pings.create.created': null
  'pings.create.createdChatFailed': null
  'pings.create.createdWithChat': { chatName: string | number }
  'pings.create.createdWithoutChat': null
  'pings.create.duration': null
  'pings.create.editPlace': null
  'pings.create.friendsFailed': null
  'pings.create.groupChat': null
  'pings.create.groupChatHelp': null
  'pings.create.imagePreview': null
  'pings.create.locating': null
  'pings.create.message': null
  'pings.create.messageTooLong': { limit: string | number }
  'pings.create.name': null
  'pings.create.namePlaceholder': null
  'pings.create.placeGiven': null
  'pings.create.placeInexact': { distance: string | number }
  'pings.create.placeOfDevice': null
  'pings.create.placeOnMap': null
  'pings.create.public': null
  'pings.create.publicHelp': null
  'pings.create.removeImage': null
  'pings.create.responsesVisible': null
  'pings.create.responsesVisibleHelp': null
  'pings.create.saveAsCircle': null
  'pings.create.schedule': null
  'pings.create.scheduleAt': null
  'pings.create.scheduledFor': { time: string | number }
  'pings.create.selectedFriends': null
  'pings.create.shared': { people: string | number; end: string | number }
  'pings.create.submitLater': null
  'pings.create.submitNow': null
  'pings.create.tapTheMap': null
  'pings.create.title': null
  'pings.create.tomorrowNoon': null
  'pings.create.tonight': null
  'pings.create.useOwnPlace': null
  'pings.create.view': null
  'pings.create.who': null
  'pings.create.zone': { name: string | number }
  'pings.createFailed': null
  'pings.created': null
  'pings.defaultTitle': { username: string | number }
  'pings.deleteConfirm': null
  'pings.deleteFailed': null
  'pings.deletePing': { name: string | number }
  'pings.deleteText': null
  'pings.deleteTitle': null
  'pings.dropAgain.dropAgain': null
  'pings.dropAgain.dropAgainOf': { name: string | number }
  'pings.dropAgain.leftOut': { count: number }
  'pings.dropAgain.linkOff': null
  'pings.dropAgain.placeErased': null
  'pings.edit.changedTo': { value: string | number }
  'pings.edit.edit': null
  'pings.edit.linkStops': null
  'pings.edit.noMessage': null
  'pings.edit.nobodyNotified': null
  'pings.edit.off': null
  'pings.edit.offline': null
  'pings.edit.on': null
  'pings.edit.save': null
  'pings.edit.saved': null
  'pings.edit.title': null
  'pings.edit.willBeNotified': { count: number }
  'pings.elsewhere': null
  'pings.endFailed': null
  'pings.endNow': null
  'pings.endText': null
  'pings.endTitle': null
  'pings.ended': null
  'pings.extendFailed': null
  'pings.extended': { time: string | number }
  'pings.extension': { duration: string | number }
  'pings.friendsNearby': null
  'pings.going': { count: string | number }
  'pings.guest.change': null
  'pings.guest.claimQuestion': { name: string | number }
  'pings.guest.copied': null
  'pings.guest.copyLink': null
  'pings.guest.going': { count: string | number }
  'pings.guest.haveAccount': null
  'pings.guest.keep': null
  'pings.guest.loginReasons': null
  'pings.guest.maybe': { count: string | number }
  'pings.guest.move': null
  'pings.guest.moveFailed': null
  'pings.guest.moved': null
  'pings.guest.nameHelp': { owner: string | number }
  'pings.guest.needsApproval': { owner: string | number }
  'pings.guest.noAccountNeeded': null
  'pings.guest.notNow': null
  'pings.guest.onlyInvited': { owner: string | number }
  'pings.guest.onlyInvitedLogin': { owner: string | number }
  'pings.guest.removeResponse': null
  'pings.guest.removed': null
  'pings.guest.replace': null
  'pings.guest.replaceQuestion': { name: string | number }
  'pings.guest.respondAs': { username: string | number }
  'pings.guest.results.accepted': null
  'pings.guest.results.declined': null
  'pings.guest.results.tentative': null
  'pings.guest.saveLink': null
  'pings.guest.send': null
  'pings.guest.unsent': null
  'pings.guest.visibleTo': { owner: string | number }
  'pings.guest.waitingFor': { owner: string | number }
  'pings.guest.yourName': null
  'pings.guestList.addFriend': null
  'pings.guestList.approve': null
  'pings.guestList.approveFailed': null
  'pings.guestList.approveName': { name: string | number }
  'pings.guestList.chip': null
  'pings.guestList.guests': { count: number }
  'pings.guestList.mark': null
  'pings.guestList.moreAbout': { name: string | number }
  'pings.guestList.none': null
  'pings.guestList.remove': null
  'pings.guestList.removeFailed': null
  'pings.guestList.removeName': { name: string | number }
  'pings.guestList.removeText': null
  'pings.guestList.removeTitle': { name: string | number }
  'pings.guestList.spoken': { name: string | number; answer: string | number }
  'pings.guestList.spokenUnverified': { name: string | number; answer: string | number }
  'pings.guestList.title': null
  'pings.guestList.waiting': { count: string | number }
  'pings.guestPolicy.allow': null
  'pings.guestPolicy.alsoApproves': { count: number }
  'pings.guestPolicy.change': null
  'pings.guestPolicy.changeFailed': null
  'pings.guestPolicy.help': null
  'pings.guestPolicy.policies.approval': null
  'pings.guestPolicy.policies.off': null
  'pings.guestPolicy.policies.open': null
  'pings.guestPolicy.save': null
  'pings.guestPolicy.stop': null
  'pings.guestPolicy.title': null
  'pings.guests.nameInvalid': null
  'pings.idMissing': null
  'pings.invite.circles': null
  'pings.invite.everyoneInvited': null
  'pings.invite.friends': null
  'pings.invite.friendsFailed': null
  'pings.invite.invite': null
  'pings.invite.invited': { name: string | number }
  'pings.invite.invitedFriends': { count: number }
  'pings.invite.more': null
  'pings.inviteFailed': null
  'pings.left': { duration: string | number }
  'pings.loadFailed': null
  'pings.loadMineFailed': null
  'pings.loadOneFailed': null
  'pings.loadingOne': null
  'pings.loadingPings': null
  'pings.locationMissing': null
  'pings.loginReasons': null
  'pings.loginToRespond': null
  'pings.loginToUnlock': null
  'pings.marker.left': { duration: string | number }
  'pings.marker.starts': { time: string | number }
  'pings.messageTo': { name: string | number }
  'pings.more': { count: string | number }
  'pings.myPins': null
  'pings.nameMissing': null
  'pings.nameTooLong': null
  'pings.navigate': null
  'pings.newFriend.notNow': null
  'pings.newFriend.question': { count: number; name: string | number }
  'pings.newFriend.show': null
  'pings.noCurrentPins': null
  'pings.noFriends': null
  'pings.noPingReturned': null
  'pings.noRecipients': null
  'pings.nobodyYet': null
  'pings.noneCreated': null
  'pings.noneNearby': null
  'pings.notConfirmed': { name: string | number }
  'pings.oneTap.dropping': { name: string | number; audience: string | number }
  'pings.oneTap.everyFriend': null
  'pings.oneTap.name': null
  'pings.oneTap.undo': null
  'pings.oneTap.undone': null
  'pings.openChat': null
  'pings.ownerTitle': null
  'pings.picture': { name: string | number }
  'pings.pictureAdded': null
  'pings.pictureRemoved': null
  'pings.pin': null
  'pings.pingLine.pin': { name: string | number }
  'pings.place.erased': null
  'pings.place.erasedNear': { town: string | number }
  'pings.place.mapOf': { place: string | number }
  'pings.place.onlyGoing': null
  'pings.place.onlyInvited': { owner: string | number }
  'pings.place.openOnMap': null
  'pings.place.seenBy': null
  'pings.place.showsAfterApproval': { owner: string | number }
  'pings.place.showsWhenGoing': null
  'pings.place.visibleNow': null
  'pings.place.within': { distance: string | number }
  'pings.placePrivacy.choices.everyone': null
  'pings.placePrivacy.choices.going': null
  'pings.placePrivacy.choices.invited': null
  'pings.placePrivacy.friendsSee': { place: string | number }
  'pings.placePrivacy.linkSees': { place: string | number }
  'pings.placePrivacy.openToAnyone': null
  'pings.placePrivacy.publicName': null
  'pings.placePrivacy.remembered': null
  'pings.placePrivacy.size': null
  'pings.placePrivacy.title': null
  'pings.recipients': null
  'pings.refresh': null
  'pings.remove.remove': null
  'pings.remove.removeName': { name: string | number }
  'pings.remove.text': { name: string | number }
  'pings.remove.title': { name: string | number }
  'pings.removeInviteeFailed': null
  'pings.removePicture': null
  'pings.removeResponseFailed': null
  'pings.respondFailed': null
  'pings.respondTitle': null
  'pings.responseButtons.accepted': null
  'pings.responseButtons.declined': null
  'pings.responseButtons.tentative': null
  'pings.responseNotices.accepted': { username: string | number }
  'pings.responseNotices.declined': { username: string | number }
  'pings.responseNotices.tentative': { username: string | number }
  'pings.responses.accepted': null
  'pings.responses.declined': null
  'pings.responses.tentative': null
  'pings.responsesTitle': null
  'pings.retryMore': null
  'pings.savedPlace.cancel': null
  'pings.savedPlace.confirm': null
  'pings.savedPlace.full': null
  'pings.savedPlace.linkText': null
  'pings.savedPlace.linkTitle': null
  'pings.savedPlace.menu': { name: string | number }
  'pings.savedPlace.name': null
  'pings.savedPlace.nearPrivate': { name: string | number }
  'pings.savedPlace.notKept': null
  'pings.savedPlace.onDevice': null
  'pings.savedPlace.private': null
  'pings.savedPlace.privateHelp': null
  'pings.savedPlace.remove': null
  'pings.savedPlace.removed': null
  'pings.savedPlace.rename': null
  'pings.savedPlace.save': null
  'pings.savedPlace.saved': null
  'pings.savedPlace.shareAnyway': null
  'pings.savedPlace.title': null
  'pings.savedPlace.turnOffLink': null
  'pings.scheduleInvalid': null
  'pings.seeMore': null
  'pings.sending': null
  'pings.sendingPicture': null
  'pings.sentPicture': { percent: string | number }
  'pings.share': null
  'pings.showMore': null
  'pings.startChat': null
  'pings.status.active': null
  'pings.status.expired': null
  'pings.status.pending': null
  'pings.stillGoing.areYouGoing': null
  'pings.stillGoing.changedBoth': { owner: string | number }
  'pings.stillGoing.changedPlace': { owner: string | number }
  'pings.stillGoing.changedTime': { owner: string | number; time: string | number }
  'pings.stillGoing.stillGoing': null
  'pings.stillGoing.yes': null
  'pings.suggestion.allFriends': null
  'pings.suggestion.and': { circles: string | number; people: string | number }
  'pings.suggestion.drop': { name: string | number; audience: string | number; duration: string | number }
  'pings.suggestion.dropNow': null
  'pings.suggestion.edit': { name: string | number; audience: string | number; duration: string | number }
  'pings.suggestion.title': null
  'pings.summary': { active: string | number; pending: string | number }
  'pings.theirPins': null
  'pings.waiting.caption': null
  'pings.waiting.count': { count: string | number }
  'pings.waiting.discard': null
  'pings.waiting.dropAgain': null
  'pings.waiting.edit': null
  'pings.waiting.kept': null
  'pings.waiting.late': null
  'pings.waiting.lateCaption': null
  'pings.waiting.refused': { reason: string | number }
  'pings.waiting.scheduled': { time: string | number }
  'pings.waiting.startsThen': { duration: string | number }
  'pings.waiting.tryAgain': null
  'pings.waiting.unsent': { count: string | number }
  'pings.waiting.waiting': null
  'pings.you': null
  'platform.badAddress': null
  'platform.changeServer': null
  'platform.continue': null
  'platform.currentServer': null
  'platform.noServer': null
  'platform.serverExample': null
  'platform.serverHeading': null
  'platform.serverLabel': null
  'platform.serverLine': null
  'previews.at': { name: string | number; time: string | number }
  'previews.by': { name: string | number }
  'previews.days': { count: number }
  'previews.hours': { hours: string | number; minutes: string | number }
  'previews.line': null
  'previews.minutes': { minutes: string | number }
  'previews.remaining': { duration: string | number }
  'previews.startsIn': { duration: string | number }
  'previews.until': { name: string | number; time: string | number }
  'privacy.erasure.chat': { days: number }
  'privacy.erasure.pin': { days: number }
  'privacy.erasure.place': { hours: number }
  'privacy.erasure.placeAtEnd': null
  'privacy.lastUpdated': null
  'privacy.others.addressService': null
  'privacy.others.directions': { host: string | number }
  'privacy.others.google': null
  'privacy.others.mail': null
  'privacy.others.maps': { hosts: string | number }
  'privacy.others.noAddressService': null
  'privacy.others.noMail': null
  'privacy.others.noSignIn': null
  'privacy.others.none': null
  'privacy.others.ownMaps': null
  'privacy.others.provider': { name: string | number }
  'privacy.others.push': null
  'privacy.othersHeading': null
  'privacy.sections.0.0': null
  'privacy.sections.0.heading': null
  'privacy.sections.1.0': null
  'privacy.sections.1.1': null
  'privacy.sections.1.2': null
  'privacy.sections.1.3': null
  'privacy.sections.1.heading': null
  'privacy.sections.2.0': null
  'privacy.sections.2.1': null
  'privacy.sections.2.10': null
  'privacy.sections.2.11': null
  'privacy.sections.2.12': null
  'privacy.sections.2.2': null
  'privacy.sections.2.3': null
  'privacy.sections.2.4': null
  'privacy.sections.2.5': null
  'privacy.sections.2.6': null
  'privacy.sections.2.7': null
  'privacy.sections.2.8': null
  'privacy.sections.2.9': null
  'privacy.sections.2.heading': null
  'privacy.sections.3.0': null
  'privacy.sections.3.1': null
  'privacy.sections.3.2': null
  'privacy.sections.3.3': null
  'privacy.sections.3.4': null
  'privacy.sections.3.5': null
  'privacy.sections.3.heading': null
  'privacy.sections.4.0': null
  'privacy.sections.4.1': null
  'privacy.sections.4.2': null
  'privacy.sections.4.heading': null
  'privacy.sections.5.0': null
  'privacy.sections.5.1': null
  'privacy.sections.5.2': null
  'privacy.sections.5.3': null
  'privacy.sections.5.heading': null
  'privacy.sections.6.0': null
  'privacy.sections.6.heading': null
  'privacy.summary': null
  'privacy.title': null
  'privacy.translated': null
  'profile.about': null
  'profile.aboutHither': null
  'profile.aboutLine': null
  'profile.aboutText.0': null
  'profile.aboutText.1': null
  'profile.account': null
  'profile.appearOffline': null
  'profile.appearOfflineText': null
  'profile.appearance': null
  'profile.autoJoin': null
  'profile.autoJoinFailed': null
  'profile.autoJoinText': null
  'profile.cancel': null
  'profile.changePicture': null
  'profile.close': null
  'profile.dark': null
  'profile.displayName': null
  'profile.displayNameHelper': null
  'profile.displayNameInvalid': null
  'profile.displayNameNote': null
  'profile.distances.automatic': null
  'profile.distances.kilometers': null
  'profile.distances.miles': null
  'profile.distances.title': null
  'profile.editDisplayName': null
  'profile.editPassword': null
  'profile.editUsername': null
  'profile.email': null
  'profile.emailFixed': null
  'profile.language.automatic': { language: string | number }
  'profile.language.beta': null
  'profile.language.changed': { language: string | number }
  'profile.language.close': null
  'profile.language.offline': null
  'profile.language.title': null
  'profile.light': null
  'profile.memberSince': null
  'profile.noDisplayName': null
  'profile.noPassword': null
  'profile.password': null
  'profile.passwordDots': null
  'profile.pictureRemoved': null
  'profile.pictureUpdated': null
  'profile.preferences': null
  'profile.privacy': null
  'profile.removePicture': null
  'profile.required': null
  'profile.save': null
  'profile.security.changeAction': null
  'profile.security.changePassword': null
  'profile.security.changePasswordText': null
  'profile.security.confirmPassword': null
  'profile.security.currentPassword': null
  'profile.security.currentRequired': null
  'profile.security.deleteAccount': null
  'profile.security.deleteAccountText': null
  'profile.security.deleteAction': null
  'profile.security.deleteConfirm': null
  'profile.security.deleteConsequences.0': null
  'profile.security.deleteConsequences.1': null
  'profile.security.deleteConsequences.2': null
  'profile.security.deleteConsequences.3': null
  'profile.security.deleteConsequences.4': null
  'profile.security.deleteDone': null
  'profile.security.deleteFailed': null
  'profile.security.deletePassword': null
  'profile.security.deleteText': null
  'profile.security.deleteTitle': null
  'profile.security.exportAction': null
  'profile.security.exportData': null
  'profile.security.exportDone': null
  'profile.security.exportFailed': null
  'profile.security.exportText': null
  'profile.security.newPassword': null
  'profile.security.newPasswordHelper': null
  'profile.security.passwordChanged': null
  'profile.security.passwordFailed': null
  'profile.security.required': null
  'profile.security.save': null
  'profile.security.setAction': null
  'profile.security.setPassword': null
  'profile.security.setPasswordText': null
  'profile.security.title': null
  'profile.signIn.activity': null
  'profile.signIn.activityFailed': null
  'profile.signIn.codesLeft': { left: string | number; total: string | number }
  'profile.signIn.continue': null
  'profile.signIn.copied': null
  'profile.signIn.copy': null
  'profile.signIn.copyFailed': null
  'profile.signIn.createCodes': null
  'profile.signIn.createPasskey': null
  'profile.signIn.created': { day: string | number }
  'profile.signIn.createdAndUsed': { created: string | number; used: string | number }
  'profile.signIn.done': null
  'profile.signIn.download': null
  'profile.signIn.enterPassword': null
  'profile.signIn.events.passkey_added': null
  'profile.signIn.events.passkey_removed': null
  'profile.signIn.events.password_changed': null
  'profile.signIn.events.password_reset': null
  'profile.signIn.events.provider_linked': null
  'profile.signIn.events.provider_unlinked': null
  'profile.signIn.events.recovery_code_used': null
  'profile.signIn.events.recovery_codes_created': null
  'profile.signIn.events.reset_link_created': null
  'profile.signIn.failed': null
  'profile.signIn.fileHeading': { email: string | number; server: string | number }
  'profile.signIn.fileName': null
  'profile.signIn.later': null
  'profile.signIn.link': null
  'profile.signIn.linkOf': { provider: string | number }
  'profile.signIn.linkText': { provider: string | number }
  'profile.signIn.linked': null
  'profile.signIn.linkedAs': { email: string | number }
  'profile.signIn.linkedOn': { day: string | number }
  'profile.signIn.moreAbout': { name: string | number }
  'profile.signIn.name': null
  'profile.signIn.nameRequired': null
  'profile.signIn.newCodes': null
  'profile.signIn.newCodesText': null
  'profile.signIn.newCodesTitle': null
  'profile.signIn.noActivity': null
  'profile.signIn.noCodes': null
  'profile.signIn.noPasskeys': null
  'profile.signIn.notNow': null
  'profile.signIn.offerText': null
  'profile.signIn.offerTitle': null
  'profile.signIn.ok': null
  'profile.signIn.onDay': { sentence: string | number; day: string | number }
  'profile.signIn.onlyPassword': null
  'profile.signIn.passkeyCanceled': null
  'profile.signIn.passkeyCreated': null
  'profile.signIn.passkeyExists': null
  'profile.signIn.passkeys': null
  'profile.signIn.passkeysFailed': null
  'profile.signIn.password': null
  'profile.signIn.passwordRequired': null
  'profile.signIn.recoveryCodes': null
  'profile.signIn.remove': null
  'profile.signIn.removeOf': { name: string | number }
  'profile.signIn.removeText': null
  'profile.signIn.removeTitle': null
  'profile.signIn.removed': null
  'profile.signIn.rename': null
  'profile.signIn.renameTitle': null
  'profile.signIn.renamed': null
  'profile.signIn.save': null
  'profile.signIn.saveText': null
  'profile.signIn.saveTitle': null
  'profile.signIn.savedCodes': null
  'profile.signIn.signInAgain': null
  'profile.signIn.signInAgainNote': null
  'profile.signIn.stillText': null
  'profile.signIn.stillTitle': null
  'profile.signIn.unlink': null
  'profile.signIn.unlinkOf': { provider: string | number }
  'profile.signIn.unlinkText': { provider: string | number }
  'profile.signIn.unlinkTitle': { provider: string | number }
  'profile.signIn.unlinked': { provider: string | number }
  'profile.signOut': null
  'profile.stored.allGo': { date: string | number }
  'profile.stored.asOf': { time: string | number }
  'profile.stored.back': null
  'profile.stored.backups': { days: number }
  'profile.stored.card': null
  'profile.stored.failed': null
  'profile.stored.goes': { date: string | number }
  'profile.stored.lastGoes': { date: string | number }
  'profile.stored.lines.account': { since: string | number }
  'profile.stored.lines.blocked_people': { count: number }
  'profile.stored.lines.chats': { count: number }
  'profile.stored.lines.circles': { count: number }
  'profile.stored.lines.devices': { count: number }
  'profile.stored.lines.ending_messages': { count: number }
  'profile.stored.lines.exact_places': { count: number }
  'profile.stored.lines.friend_links': { count: number }
  'profile.stored.lines.friend_requests': { count: number }
  'profile.stored.lines.friends': { count: number }
  'profile.stored.lines.messages': { count: number; since: string | number }
  'profile.stored.lines.photos': { count: number; since: string | number }
  'profile.stored.lines.pictures': null
  'profile.stored.lines.pins': { count: number }
  'profile.stored.lines.places': { count: number; since: string | number }
  'profile.stored.lines.reactions': { count: number; since: string | number }
  'profile.stored.lines.reports_made': { count: number }
  'profile.stored.lines.responses': { count: number }
  'profile.stored.lines.security_events': { count: number }
  'profile.stored.lines.sign_in_methods': { count: number }
  'profile.stored.lines.trips': { count: number }
  'profile.stored.loading': null
  'profile.stored.notListed': null
  'profile.stored.records': { count: number }
  'profile.stored.remove': null
  'profile.stored.removeRecords': null
  'profile.stored.removed': null
  'profile.stored.sections.account': null
  'profile.stored.sections.date': null
  'profile.stored.sections.device': null
  'profile.stored.sections.you': null
  'profile.stored.text': null
  'profile.stored.title': null
  'profile.suggestions': null
  'profile.suggestionsText': null
  'profile.system': null
  'profile.title': null
  'profile.updateFailed': null
  'profile.updated': null
  'profile.uploadPicture': null
  'profile.uploading': null
  'profile.username': null
  'pushes.active': { name: string | number }
  'pushes.arrivesIn': { pin: string | number; duration: string | number }
  'pushes.by': { name: string | number }
  'pushes.canceled': { name: string | number; pin: string | number }
  'pushes.cannot': null
  'pushes.cannotCome': { name: string | number }
  'pushes.changed': { name: string | number; pin: string | number }
  'pushes.counts': { going: string | number; maybe: string | number }
  'pushes.dropped': { name: string | number }
  'pushes.going': null
  'pushes.guestCannotCome': { name: string | number }
  'pushes.guestIsGoing': { name: string | number }
  'pushes.guestMayCome': { name: string | number }
  'pushes.guestResponses': { count: number }
  'pushes.guestTookBack': { name: string | number }
  'pushes.hidden.friend_request': null
  'pushes.hidden.message': null
  'pushes.hidden.message_reaction': null
  'pushes.hidden.new_friend': null
  'pushes.hidden.new_ping': null
  'pushes.hidden.ping_canceled': null
  'pushes.hidden.ping_changed': null
  'pushes.hidden.ping_reminder': null
  'pushes.hidden.ping_response': null
  'pushes.hidden.ping_trip': null
  'pushes.hours': { count: string | number }
  'pushes.isGoing': { name: string | number }
  'pushes.isHere': { name: string | number }
  'pushes.linkFriend': null
  'pushes.mayCome': { name: string | number }
  'pushes.maybe': null
  'pushes.minutes': { count: string | number }
  'pushes.named': { name: string | number; text: string | number }
  'pushes.newBoth': null
  'pushes.newPlace': null
  'pushes.newTime': null
  'pushes.onTheWay': { name: string | number }
  'pushes.ownActive': null
  'pushes.pinOf': { name: string | number }
  'pushes.reacted': { name: string | number; emoji: string | number }
  'pushes.scheduled': { name: string | number }
  'pushes.security': null
  'pushes.startsIn': { name: string | number; minutes: string | number }
  'pushes.test': null
  'pushes.testText': null
  'pushes.tookBack': { name: string | number }
  'pushes.wantsToBeFriend': null
  'pushes.wantsToJoin': { name: string | number }
  'pwa.later': null
  'pwa.push.responseFailed': null
  'pwa.push.unknown': null
  'pwa.update': null
  'pwa.updateReady': null
  'safety.activeLinks': { count: string | number }
  'safety.anyoneResponds': null
  'safety.blocked.blocked': null
  'safety.blocked.blockedFailed': null
  'safety.blocked.blockedSince': null
  'safety.blocked.noneBlocked': null
  'safety.blocked.unblock': null
  'safety.blocked.unblockFailed': null
  'safety.blocked.unblockOf': { name: string | number }
  'safety.blocked.unblocked': { name: string | number }
  'safety.deletePin': null
  'safety.deletePinOf': { name: string | number }
  'safety.device.browserOn': { browser: string | number; system: string | number }
  'safety.device.devices': null
  'safety.device.devicesFailed': null
  'safety.device.lastUsed': null
  'safety.device.othersSignedOut': null
  'safety.device.signOutDevice': null
  'safety.device.signOutDeviceOf': { device: string | number }
  'safety.device.signOutFailed': null
  'safety.device.signOutOthers': null
  'safety.device.signOutOthersFailed': null
  'safety.device.thisDevice': null
  'safety.device.unknownDevice': null
  'safety.endLink': null
  'safety.endLinkOf': { pin: string | number }
  'safety.friendLinks': null
  'safety.hereSince': { pin: string | number; time: string | number }
  'safety.linkText': { pin: string | number }
  'safety.links': null
  'safety.noLinks': null
  'safety.noOpenPins': null
  'safety.openPins': null
  'safety.openPinsFailed': null
  'safety.show': null
  'safety.showFriendLinks': null
  'safety.stopTripTo': { pin: string | number }
  'safety.title': null
  'safety.trips': null
  'safety.tripsFailed': null
  'security.passkey_added': null
  'security.passkey_removed': null
  'security.password_changed': null
  'security.password_reset': null
  'security.provider_linked': null
  'security.provider_unlinked': null
  'security.recovery_code_used': null
  'security.recovery_codes_created': null
  'security.reset_link_created': null
  'session.refreshFailed': null
  'session.signInFailed': null
  'session.signUpFailed': null
  'shell.accountMenu': null
  'shell.admin': null
  'shell.boundaryText': null
  'shell.boundaryTitle': null
  'shell.brand': null
  'shell.chat': null
  'shell.details': null
  'shell.friends': null
  'shell.goHome': null
  'shell.home': null
  'shell.logout': null
  'shell.navigation': null
  'shell.notFound': null
  'shell.offline': { time: string | number }
  'shell.profile': null
  'shell.reload': null
  'shell.routerError': null
  'shell.skip': null
  'shell.waiting': { count: string | number }
  'sign-out.failed': null
  'sign-out.question.savedPlacesText': { count: number }
  'sign-out.question.signOut': null
  'sign-out.question.title': null
  'sign-out.question.unsentText': { count: number }
  'trips.andMore': { text: string | number; others: string | number }
  'trips.arriveFailed': null
  'trips.arriving': { name: string | number; time: string | number }
  'trips.ended': { name: string | number }
  'trips.endsBefore': { time: string | number }
  'trips.here': null
  'trips.imprecise': null
  'trips.markedAsHere': null
  'trips.minutesOnly': null
  'trips.modes.bike': null
  'trips.modes.drive': null
  'trips.modes.walk': null
  'trips.more': null
  'trips.nobodyYet': null
  'trips.noneShared': null
  'trips.notShared': null
  'trips.onMyWay': null
  'trips.onTheWayTo': { name: string | number; time: string | number }
  'trips.onlyOne': { name: string | number }
  'trips.several': { first: string | number; others: string | number }
  'trips.shareFailed': null
  'trips.sheetTitle': null
  'trips.stop': null
  'trips.stopFailed': null
  'trips.stopped': null
  'trips.tooFar': null
  'trips.tripRow.arrives': { time: string | number }
  'trips.tripRow.arrivesUpdated': { time: string | number; minutes: string | number }
  'trips.tripRow.arrivingNow': null
  'trips.tripRow.countHere': { count: string | number }
  'trips.tripRow.here': null
  'trips.tripRow.late': null
  'trips.tripRow.onTheWay': { count: string | number }
  'trips.tripRow.since': { time: string | number }
  'trips.tripRow.spokenArrives': { duration: string | number; time: string | number }
  'trips.tripRow.spokenArrivingNow': { time: string | number }
  'trips.tripRow.spokenHere': { time: string | number }
  'trips.tripRow.spokenLate': null
  'trips.tripRow.spokenUpdated': { duration: string | number }
  'trips.tripRow.updated': { minutes: string | number }
  'trips.two': { first: string | number; second: string | number }
  'trips.undo': null
  'trips.useLocation': null
  'ui.cancel': null
  'ui.close': null
  'ui.loading': null
  'ui.retry': null
  'ui.showAll': null
  'ui.time.hours': { count: string | number }
  'ui.time.midnight': null
  'ui.time.minutes': { count: string | number }
  'ui.time.remaining': { minutes: string | number }
  'ui.time.remainingHours': { hours: string | number; minutes: string | number }
  'ui.time.spokenHours': { count: number }
  'ui.time.spokenMinutes': { count: number }
}
